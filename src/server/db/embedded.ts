// Starts the embedded database: PGlite in a worker thread behind a unix socket. Only one process may use its folder.
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import type { ClientConfig } from 'pg'
import { ConfigError } from '#server/core/config.ts'
import { fsyncPath } from '#server/core/fsync.ts'
import { createLog, type Log } from '#server/core/log.ts'
import type { CreateWorkerData } from '#server/db/create-embedded.ts'
import { type SupervisedEngine, superviseEngine } from '#server/db/embedded-supervisor.ts'
import { templateFolder } from '#server/db/embedded-template.ts'
import type { EngineWorkerData } from '#server/db/embedded-worker.ts'

const port = 5432
const maxSocketPathBytes = 107
/** Contains the folder of the socket if the path of the data folder is too long for a socket. */
const socketFolderFile = 'soquete.txt'
const sqliteBusy = 5
/** Creating a database without a template took four seconds when it was measured. */
const createTimeoutMs = 60_000

export interface EmbeddedOptions {
  log?: Log
  heartbeatTimeoutMs?: number
  maintenanceIntervalMs?: number
  /** Folder of a migrated database that a new site copies. If it does not exist, PGlite creates an empty database. */
  template?: string
  /** Puts a database into the folder, after the folder is locked and before the database is opened. */
  beforeOpening?(folder: string): Promise<void>
}

export interface Embedded extends SupervisedEngine {
  connection: ClientConfig
}

/** Another running process uses the folder. */
export class FolderInUse extends ConfigError {}

/** The connection to the engine of a running process. */
export function runningConnection(dataDir: string): ClientConfig {
  const otherFolder = join(dataDir, socketFolderFile)
  const host = existsSync(otherFolder) ? readFileSync(otherFolder, 'utf8') : dataDir
  return { host, port, user: 'postgres', database: 'postgres' }
}

export async function startEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  const {
    log = createLog('warn'),
    heartbeatTimeoutMs = 60_000,
    maintenanceIntervalMs = 600_000,
    template = templateFolder(),
    beforeOpening,
  } = options
  makePrivate(dataDir)
  const lock = lockFolder(dataDir)
  const sockets = socketFolder(dataDir)
  const socketFile = join(sockets, `.s.PGSQL.${port}`)
  const folder = join(dataDir, 'banco')
  const isNew = beforeOpening !== undefined || !existsSync(folder)

  function start(): Worker {
    // A killed process leaves its socket behind. It can be removed because this process holds the lock.
    rmSync(socketFile, { force: true })
    return new Worker(new URL('./embedded-worker.ts', import.meta.url), {
      workerData: { folder, socketFile, maintenanceIntervalMs } satisfies EngineWorkerData,
      // The memory of the engine is outside of this heap. The thread itself needs little, and would be given 50 MB.
      resourceLimits: { maxYoungGenerationSizeMb: 12 },
    })
  }

  function release(): void {
    rmSync(sockets === dataDir ? socketFile : sockets, { recursive: true, force: true })
    lock.close()
  }

  let supervised: SupervisedEngine
  try {
    await beforeOpening?.(folder)
    if (!existsSync(folder)) await createDatabase({ folder, template })
    supervised = await superviseEngine({ start, log, heartbeatTimeoutMs })
  } catch (error) {
    // Created or copied just now: it contains no data that is not elsewhere, and the disk may be full.
    if (isNew) rmSync(folder, { recursive: true, force: true })
    release()
    log.debug({ err: error }, 'embedded database did not open')
    throw new ConfigError([
      `não foi possível abrir o banco embutido em ${dataDir}: confira o espaço em disco e as permissões, e inicie de novo`,
    ])
  }
  return {
    connection: runningConnection(dataDir),
    shortenTimeouts: supervised.shortenTimeouts,
    async stop() {
      await supervised.stop()
      release()
    },
  }
}

/**
 * Runs in a separate thread, because the memory for creating a database is released only when the thread ends.
 * Renames the folder at the end, because an incomplete database would never open.
 */
async function createDatabase({ folder, template }: CreateWorkerData): Promise<void> {
  const unfinished = `${folder}.novo`
  const remove = () => rmSync(unfinished, { recursive: true, force: true })
  // A killed process leaves an unfinished folder behind.
  remove()
  try {
    const worker = new Worker(new URL('./create-embedded.ts', import.meta.url), {
      workerData: { folder: unfinished, template } satisfies CreateWorkerData,
    })
    const timer = setTimeout(() => worker.terminate(), createTimeoutMs)
    const [code] = await once(worker, 'exit').finally(() => clearTimeout(timer))
    if (code !== 0) throw new Error(`the new database was not made: ${code}`)
    renameSync(unfinished, folder)
    fsyncPath(dirname(folder))
  } finally {
    remove()
  }
}

/** PGlite has no lock, and two processes would corrupt the folder. The lock of SQLite is released even by kill -9. */
export function lockFolder(dataDir: string, file = 'em-uso.sqlite'): DatabaseSync {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(join(dataDir, file), { timeout: 0 })
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
      `não foi possível reservar a pasta de dados ${dataDir}: confira as permissões, o espaço em disco e o arquivo ${file}`,
    ])
  }
}

function socketFolder(dataDir: string): string {
  const length = Buffer.byteLength(join(dataDir, `.s.PGSQL.${port}`))
  if (length <= maxSocketPathBytes) {
    // The folder may have been moved here from a longer path.
    rmSync(join(dataDir, socketFolderFile), { force: true })
    return dataDir
  }
  const folder = mkdtempSync(join(tmpdir(), 'mobiliza-'))
  writeFileSync(join(dataDir, socketFolderFile), folder)
  return folder
}

/** PGlite creates files that every user can read, and every user with access to the socket owns the database. */
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
