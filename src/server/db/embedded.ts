// The embedded database: PGlite in a worker thread behind a unix socket, in a folder that only one process may use.
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import type { ClientConfig } from 'pg'
import { ConfigError } from '#server/core/config.ts'
import { createLog, type Log } from '#server/core/log.ts'
import { syncPath } from '#server/core/sync-path.ts'
import { type Watched, watchEngine } from '#server/db/embedded-watch.ts'
import type { EngineThread } from '#server/db/embedded-worker.ts'

const port = 5432
const longestSocketPath = 107
/** Says where the socket is when the data folder's path is too long for one. */
const socketNote = 'soquete.txt'
const sqliteBusy = 5
/** It took four seconds where it was measured. */
const makingMs = 60_000

export interface EmbeddedOptions {
  log?: Log
  silenceMs?: number
  tidyEveryMs?: number
  /** Puts a database into the folder, once that is ours and before it is opened. */
  beforeOpening?(folder: string): Promise<void>
}

export interface Embedded extends Watched {
  connection: ClientConfig
}

/** The folder belongs to a process that is running. */
export class FolderInUse extends ConfigError {}

/** How to reach the engine that a running process has started. */
export function runningConnection(dataDir: string): ClientConfig {
  const elsewhere = join(dataDir, socketNote)
  const host = existsSync(elsewhere) ? readFileSync(elsewhere, 'utf8') : dataDir
  return { host, port, user: 'postgres', database: 'postgres' }
}

export async function startEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  const { log = createLog('warn'), silenceMs = 60_000, tidyEveryMs = 600_000, beforeOpening } = options
  makePrivate(dataDir)
  const lock = lockFolder(dataDir)
  const sockets = socketFolder(dataDir)
  const socketFile = join(sockets, `.s.PGSQL.${port}`)
  const folder = join(dataDir, 'banco')
  const isNew = beforeOpening !== undefined || !existsSync(folder)

  function start(): Worker {
    // Left behind by what was killed; ours to remove, because we hold the lock.
    rmSync(socketFile, { force: true })
    return new Worker(new URL('./embedded-worker.ts', import.meta.url), {
      workerData: { folder, socketFile, tidyEveryMs } satisfies EngineThread,
      // The engine's memory is its own; what passes through on the way needs little, and would be given fifty megabytes.
      resourceLimits: { maxYoungGenerationSizeMb: 12 },
    })
  }

  let watched: Watched
  try {
    await beforeOpening?.(folder)
    if (!existsSync(folder)) await makeDatabase(folder)
    watched = await watchEngine({ start, log, silenceMs })
  } catch (error) {
    // Made or copied just now: nothing is in it that is not elsewhere, and the disk may be full.
    if (isNew) rmSync(folder, { recursive: true, force: true })
    lock.close()
    log.debug({ err: error }, 'embedded database did not open')
    throw new ConfigError([
      `não foi possível abrir o banco embutido em ${dataDir}: confira o espaço em disco e as permissões, e inicie de novo`,
    ])
  }
  return {
    connection: runningConnection(dataDir),
    hurry: watched.hurry,
    async stop() {
      await watched.stop()
      rmSync(socketFile, { force: true })
      lock.close()
    },
  }
}

/** In a thread that ends, because the memory that making takes is given back only then; whole or not at all, because half-made it would never open. */
async function makeDatabase(folder: string): Promise<void> {
  const unfinished = `${folder}.novo`
  const remove = () => rmSync(unfinished, { recursive: true, force: true })
  // Left behind by what was killed.
  remove()
  try {
    const making = new Worker(new URL('./embedded-making.ts', import.meta.url), { workerData: unfinished })
    const late = setTimeout(() => making.terminate(), makingMs)
    const [code] = await once(making, 'exit').finally(() => clearTimeout(late))
    if (code !== 0) throw new Error(`the new database was not made: ${code}`)
    renameSync(unfinished, folder)
    syncPath(dirname(folder))
  } finally {
    remove()
  }
}

/** PGlite has no lock of its own and two processes would corrupt the folder; this one is released even by kill -9. */
function lockFolder(dataDir: string): DatabaseSync {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(join(dataDir, 'em-uso.sqlite'), { timeout: 0 })
    lock.exec('pragma journal_mode=delete; pragma locking_mode=exclusive; begin exclusive')
    return lock
  } catch (error) {
    lock?.close()
    if ((error as { errcode?: number }).errcode === sqliteBusy) {
      throw new FolderInUse([
        `a pasta de dados ${dataDir} já está em uso por outro Mobiliza. Pare o outro, ou escolha outra pasta: DATA_DIR=./outra-pasta`,
      ])
    }
    throw new ConfigError([
      `não foi possível reservar a pasta de dados ${dataDir}: confira as permissões, o espaço em disco e o arquivo em-uso.sqlite`,
    ])
  }
}

function socketFolder(dataDir: string): string {
  const length = Buffer.byteLength(join(dataDir, `.s.PGSQL.${port}`))
  if (length <= longestSocketPath) {
    // The folder may have come from a longer path.
    rmSync(join(dataDir, socketNote), { force: true })
    return dataDir
  }
  const folder = mkdtempSync(join(tmpdir(), 'mobiliza-'))
  writeFileSync(join(dataDir, socketNote), folder)
  return folder
}

/** PGlite makes its files readable by everybody, and whoever reaches the socket is the owner of the database. */
function makePrivate(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true })
    chmodSync(dataDir, 0o700)
  } catch {
    throw new ConfigError([
      `não foi possível usar ${dataDir} como pasta de dados. Escolha outra. Exemplo: DATA_DIR=./data`,
    ])
  }
}
