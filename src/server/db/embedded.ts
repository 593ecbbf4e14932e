// The embedded database: PGlite in a worker thread behind a unix socket, in a folder that only one process may use.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import type { ClientConfig } from 'pg'
import { ConfigError } from '#server/core/config.ts'

const port = 5432
const longestSocketPath = 107
const sqliteBusy = 5

export async function startEmbedded(dataDir: string): Promise<{ connection: ClientConfig; stop(): Promise<void> }> {
  makePrivate(dataDir)
  const lock = lockFolder(dataDir)
  const sockets = socketFolder(dataDir)
  const socketFile = join(sockets, `.s.PGSQL.${port}`)
  // Left behind by a killed process; ours to remove, because we hold the lock.
  rmSync(socketFile, { force: true })

  const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), {
    workerData: { folder: join(dataDir, 'banco'), socketFile },
  })
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve())
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`embedded database ended with ${code}`)))
  })

  return {
    connection: { host: sockets, port, user: 'postgres', database: 'postgres' },
    async stop() {
      const ended = new Promise((resolve) => worker.once('exit', resolve))
      worker.postMessage('stop')
      await ended
      rmSync(socketFile, { force: true })
      lock.close()
    },
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
    throw new ConfigError([
      (error as { errcode?: number }).errcode === sqliteBusy
        ? `a pasta de dados ${dataDir} já está em uso por outro Mobiliza. Pare o outro, ou escolha outra pasta: DATA_DIR=./outra-pasta`
        : `não foi possível reservar a pasta de dados ${dataDir}: confira as permissões, o espaço em disco e o arquivo em-uso.sqlite`,
    ])
  }
}

function socketFolder(dataDir: string): string {
  const longest = Buffer.byteLength(join(dataDir, `.s.PGSQL.${port}`))
  return longest <= longestSocketPath ? dataDir : mkdtempSync(join(tmpdir(), 'mobiliza-'))
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
