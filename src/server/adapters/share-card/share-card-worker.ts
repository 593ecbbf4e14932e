import { parentPort, workerData } from 'node:worker_threads'
import { drawShareCard } from '#server/adapters/share-card/share-card.ts'
import type { ShareCard } from '#server/core/share-card.ts'

parentPort?.postMessage(await drawShareCard(workerData as ShareCard))
