// Opens a copy of the embedded database of a running server.
import { constants } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { type Embedded, type EmbeddedOptions, runningConnection, startEmbedded } from '#server/db/embedded.ts'

interface CopiedEngine extends Embedded {
  /** How long the queries of the running server had to wait. */
  waitedMs: number
}

/** The copy is deleted when the engine stops. */
export async function openCopy(dataDir: string, options: EmbeddedOptions): Promise<CopiedEngine> {
  const folder = join(dataDir, 'copia')
  let waitedMs = 0
  const beforeOpening = async (copy: string) => {
    // A backup that was killed leaves its copy behind.
    await rm(copy, { recursive: true, force: true })
    waitedMs = await copyInTransaction(dataDir, copy)
  }
  const engine = await startEmbedded(folder, { ...options, beforeOpening })
  return {
    ...engine,
    waitedMs,
    async stop() {
      await engine.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function copyInTransaction(dataDir: string, copy: string): Promise<number> {
  const client = new pg.Client({ ...runningConnection(dataDir), connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    // The engine has one session: while this transaction is open all other queries wait, so nothing is written.
    await client.query('begin')
    const startedAt = performance.now()
    await cp(join(dataDir, 'banco'), copy, { recursive: true, mode: constants.COPYFILE_FICLONE })
    // Fails if the engine died during the copy, which is then unusable.
    await client.query('rollback')
    return performance.now() - startedAt
  } finally {
    await client.end()
  }
}
