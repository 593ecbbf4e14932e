// The thread that runs PGlite, so that a long query never stops the server.
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
// The whole package takes 0.3 s to load, this part of it 10 ms.
import { getTableName } from 'drizzle-orm/table'
import { openPGlite } from '#server/db/durable-pglite.ts'
import { openSocket } from '#server/db/embedded-socket.ts'

export interface EngineThread {
  folder: string
  socketFile: string
  /** PGlite has no autovacuum, and no checkpoints: its WAL would grow until the next start. */
  tidyEveryMs: number
}

const { folder, socketFile, tidyEveryMs } = workerData as EngineThread
const tidyPauseMs = 20
/** How PGlite says that a statement failed and the engine goes on. */
const statementFailed = 100

const db = await openPGlite(folder)
endWithEngine(db)
const socket = await openSocket(db, socketFile)

parentPort?.on('message', async (message: 'answer' | 'stop') => {
  if (message === 'answer') return parentPort?.postMessage('alive')
  await socket.close()
  await db.close()
  parentPort?.close()
})
parentPort?.postMessage('open')
void tidyRegularly()

async function tidyRegularly(): Promise<void> {
  for (;;) {
    await delay(tidyEveryMs, undefined, { ref: false })
    const tables = await import('#server/db/schema.ts')
    for (const table of Object.values(tables)) {
      await socket.run(`vacuum (analyze) "${getTableName(table)}"`)
      // Lets in the requests that came meanwhile.
      await delay(tidyPauseMs)
    }
    await socket.run('checkpoint')
  }
}

/** PGlite swallows what kills its engine (a full disk does) and then answers nobody, for ever; a thread that ends is started again. */
function endWithEngine({ Module: engine }: PGlite): void {
  const runOnce = engine._PostgresMainLoopOnce
  engine._PostgresMainLoopOnce = () => {
    try {
      runOnce()
    } catch (error) {
      if ((error as { status?: number }).status !== statementFailed) process.exit(1)
      throw error
    }
  }
}
