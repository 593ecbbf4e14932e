// Writes, reads and checks backup files: gzipped lines of JSON, encrypted if there is a key.
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import {
  DecryptionFailed,
  decryptStream,
  encryptedStreamHeadBytes,
  encryptStream,
  isEncryptedStream,
} from '#server/core/stream-encryption.ts'

export interface TableShape {
  name: string
  columns: { name: string; type: string }[]
}

interface BackupHead {
  /** The version of this format. */
  mobiliza: 1
  createdAt: string
  /** Digests of the migrations that created these tables. */
  migrations: string[]
  tables: TableShape[]
  sequences: { name: string; lastValue: string; isCalled: boolean }[]
}

/** Rows per table. */
export type Counts = Record<string, number>

/**
 * One line of the file. First comes the head, then the name and the rows of each table, at the end the row
 * counts. A file without the last line is truncated. A row is a JSON array of its columns, each in the text
 * format of PostgreSQL.
 */
export type Part = { head: BackupHead } | { table: string } | { row: string } | { end: Counts }

/** The message is shown to the operator. */
export class BackupRefused extends Error {}

interface WriteOptions {
  signal?: AbortSignal
  /** Encrypts the file. */
  key?: string | undefined
}

/** Only the owner may read the file. Never overwrites a file. Deletes an unfinished file. Returns its size in bytes. */
export async function writeBackup(
  path: string,
  parts: AsyncIterable<Part>,
  { signal, key }: WriteOptions = {},
): Promise<number> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new BackupRefused(`${path} já existe: escolha outro nome`)
    throw new BackupRefused(`não foi possível criar ${path}: confira a pasta e as permissões`)
  })
  try {
    // On a nearly full disk `write` stores a part of the chunk and succeeds. `appendFile` writes all of it or rejects.
    const write = async (zipped: AsyncIterable<Buffer>) => {
      for await (const chunk of key ? encryptStream(zipped, key) : zipped) await file.appendFile(chunk)
    }
    await pipeline(Readable.from(toLines(parts)), createGzip({ level: 5, chunkSize: 2 ** 18 }), write, { signal })
    await file.sync()
    return (await file.stat()).size
  } catch (error) {
    await rm(path, { force: true })
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new BackupRefused(`faltou espaço em disco para ${path}: nada foi guardado`)
    throw error
  } finally {
    await file.close()
  }
}

async function* toLines(parts: AsyncIterable<Part>): AsyncGenerator<string> {
  for await (const part of parts) yield `${'row' in part ? part.row : JSON.stringify(part)}\n`
}

/** A backup file, and the key if it may be encrypted. */
export interface BackupSource {
  file: string
  key?: string | undefined
}

export async function* readBackup(source: BackupSource): AsyncGenerator<Part> {
  for await (const line of readLines(source)) yield line.startsWith('[') ? { row: line } : JSON.parse(line)
}

export async function isEncryptedBackup(path: string): Promise<boolean> {
  return isEncryptedStream(await readHead(path))
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(encryptedStreamHeadBytes), { position: 0 })
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function openZipped({ file, key }: BackupSource): Promise<Readable> {
  const head = await readHead(file)
  if (!isEncryptedStream(head)) return createReadStream(file)
  if (!key) throw new BackupRefused(`${file} está cifrada: defina BACKUP_KEY, a chave com que ela foi feita`)
  return Readable.from(decryptStream(head, createReadStream(file, { start: encryptedStreamHeadBytes }), key))
}

async function* readLines(backup: BackupSource): AsyncGenerator<string> {
  const source = await openZipped(backup)
  const text = source.pipe(createGunzip({ chunkSize: 2 ** 20 })).setEncoding('utf8')
  source.on('error', (error) => text.destroy(error))
  let remainder = ''
  try {
    for await (const chunk of text) {
      const lines = (remainder + chunk).split('\n')
      remainder = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    source.destroy()
  }
}

/** Reads and validates the whole file. Rejects if it is damaged or incomplete. */
export async function checkBackup(source: BackupSource): Promise<{ head: BackupHead; counts: Counts }> {
  const { file } = source
  const broken = new BackupRefused(`${file} não é uma cópia inteira do Mobiliza: está cortada ou estragada`)
  let head: BackupHead | undefined
  let table: string | undefined
  let end: Counts | undefined
  const counts: Counts = {}
  try {
    for await (const part of readBackup(source)) {
      if (end) throw broken
      if ('head' in part) head = part.head
      else if ('end' in part) end = part.end
      else if ('table' in part) {
        table = part.table
        counts[table] = 0
      } else if (table === undefined || !Array.isArray(JSON.parse(part.row))) throw broken
      else counts[table] = (counts[table] ?? 0) + 1
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new BackupRefused(`${file} não existe`)
    if (error instanceof BackupRefused) throw error
    if (error instanceof DecryptionFailed && error.reason === 'key')
      throw new BackupRefused(`${file} foi cifrada com outra BACKUP_KEY`)
    throw broken
  }
  const expected = head?.mobiliza === 1 && head.tables.map(({ name }) => [name, counts[name]])
  if (!head || !end || !expected || JSON.stringify(Object.entries(end)) !== JSON.stringify(expected)) throw broken
  return { head, counts }
}
