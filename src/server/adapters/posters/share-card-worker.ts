// A thread that draws one share card and ends.
import { parentPort, workerData } from 'node:worker_threads'
import { drawShareCard } from '#server/adapters/posters/share-card.ts'
import type { ShareCard } from '#server/core/poster.ts'

parentPort?.postMessage(await drawShareCard(workerData as ShareCard))
