// Worker thread that runs PGlite, so that a long query does not block the event loop of the server.
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
// Loading the whole package takes 0.3 s, this part 10 ms.
import { getTableName } from 'drizzle-orm/table'
import { openPGlite } from '#server/db/durable-pglite.ts'
import { openSocket } from '#server/db/embedded-socket.ts'

export interface EngineWorkerData {
  folder: string
  socketFile: string
  /** Maintenance interval. PGlite has no autovacuum and no checkpoints: its WAL would grow until the next start. */
  maintenanceIntervalMs: number
}

const { folder, socketFile, maintenanceIntervalMs } = workerData as EngineWorkerData
const pauseMs = 20
/** The status with which PGlite reports that a statement failed and the engine continues. */
const statementFailed = 100

const db = await openPGlite(folder)
exitWithEngine(db)
const socket = await openSocket(db, socketFile)

parentPort?.on('message', async (message: 'ping' | 'stop') => {
  if (message === 'ping') return parentPort?.postMessage('pong')
  await socket.close()
  await db.close()
  parentPort?.close()
})
parentPort?.postMessage('open')
void runMaintenance()

async function runMaintenance(): Promise<void> {
  for (;;) {
    await delay(maintenanceIntervalMs, undefined, { ref: false })
    const tables = await import('#server/db/schema.ts')
    for (const table of Object.values(tables)) {
      await socket.run(`vacuum (analyze) "${getTableName(table)}"`)
      // Lets the queries run that arrived in the meantime.
      await delay(pauseMs)
    }
    await socket.run('checkpoint')
  }
}

/**
 * PGlite catches the errors that kill its engine (for example a full disk) and then never answers again. This
 * thread exits instead, and the supervisor starts a new one.
 */
function exitWithEngine({ Module: engine }: PGlite): void {
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
