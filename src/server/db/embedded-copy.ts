// The embedded database of a server that is running, to be read at leisure: a copy of its folder, taken while a transaction of ours
// keeps everybody else waiting, so that nothing is written meanwhile.
import { constants } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { type Embedded, type EmbeddedOptions, runningConnection, startEmbedded } from '#server/db/embedded.ts'

export interface CopiedEngine extends Embedded {
  /** How long people had to wait. */
  waitedMs: number
}

/** The copy is removed when it is stopped. */
export async function openCopy(dataDir: string, options: EmbeddedOptions): Promise<CopiedEngine> {
  const folder = join(dataDir, 'copia')
  let waitedMs = 0
  const beforeOpening = async (copy: string) => {
    // Left behind by a backup that was killed.
    await rm(copy, { recursive: true, force: true })
    waitedMs = await copyQuietly(dataDir, copy)
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

async function copyQuietly(dataDir: string, copy: string): Promise<number> {
  const client = new pg.Client({ ...runningConnection(dataDir), connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin')
    const startedAt = performance.now()
    await cp(join(dataDir, 'banco'), copy, { recursive: true, mode: constants.COPYFILE_FICLONE })
    // Had the engine died meanwhile, this would fail, and the copy would be worth nothing.
    await client.query('rollback')
    return performance.now() - startedAt
  } finally {
    await client.end()
  }
}
