// Encrypts stored values again with the current key, in pages, while the site is running. Nothing remembers the
// progress: a value shows which key it is encrypted with, so that a run continues after any interruption.
import { sql } from 'drizzle-orm'
import type { Encryption } from '#server/core/encryption.ts'
import { retry } from '#server/core/retry.ts'
import { type Database, isTransient } from '#server/db/database.ts'
import { type EncryptedColumn, encryptedColumns } from '#server/db/encrypted-columns.ts'

/** Values per transaction. */
const pageSize = 200
const retryMs = 30_000

export interface RotationReport {
  /** Values that were encrypted again. */
  rotated: number
  /** Values that the current key has not encrypted, at the end. */
  remaining: number
}

interface Page {
  rotated: number
  /** The id after which the next page begins. Undefined: this was the last one. */
  last: string | undefined
}

interface RotationOptions {
  encryption: Encryption
  /** Called after each page, with the number of values so far. */
  onProgress?(rotated: number): void
  columns?: EncryptedColumn[]
}

/** Values that none of the keys decrypts stay as they are, and are counted as remaining. */
export async function rotateKey(
  database: Database,
  { encryption, onProgress = () => {}, columns = encryptedColumns }: RotationOptions,
): Promise<RotationReport> {
  let rotated = 0
  for (const column of columns) {
    let after: string | undefined
    do {
      const page = await retry(() => rotatePage(database, encryption, { column, after }), {
        timeoutMs: retryMs,
        isTransient,
      })
      rotated += page.rotated
      after = page.last
      if (page.rotated > 0) onProgress(rotated)
    } while (after !== undefined)
  }
  let remaining = 0
  for (const column of columns) remaining += await countRemaining(database, encryption, column)
  return { rotated, remaining }
}

/** The values of `column` that the current key has not encrypted. */
const isOutdated = ({ column, where = 'true' }: EncryptedColumn, { prefix }: Encryption) => {
  const value = sql.identifier(column)
  return sql`${value} is not null and substring(${value} for ${prefix.length}) <> ${prefix} and (${sql.raw(where)})`
}

async function countRemaining(database: Database, encryption: Encryption, column: EncryptedColumn): Promise<number> {
  const { rows } = await database.orm.execute<{ n: number }>(sql`
    select count(*)::int as n from ${sql.identifier(column.table)} where ${isOutdated(column, encryption)}`)
  return rows[0]?.n ?? 0
}

async function rotatePage(
  { orm }: Database,
  encryption: Encryption,
  { column, after }: { column: EncryptedColumn; after: string | undefined },
): Promise<Page> {
  const { ownerOf, index } = column
  const [table, value, id] = [column.table, column.column, column.id.name].map((name) => sql.identifier(name))
  const type = sql.raw(column.id.type)
  const { rows } = await orm.execute<{ id: string; value: Buffer }>(sql`
    select ${id}::text as id, ${value} as value from ${table}
    where ${isOutdated(column, encryption)} ${after === undefined ? sql`` : sql`and ${id} > ${after}::${type}`}
    order by ${table}.${id} limit ${pageSize}`)
  const changes = rows.flatMap((row) => {
    const text = decryptOrUndefined(encryption, row.value, ownerOf(row.id))
    if (text === undefined) return []
    const digest = index ? encryption.indexOf(index.textOf(text)) : Buffer.of()
    return [{ ...row, encrypted: encryption.encrypt(text, ownerOf(row.id)), digest }]
  })
  const last = rows.length === pageSize ? rows.at(-1)?.id : undefined
  if (changes.length === 0) return { rotated: 0, last }
  const parameter = (key: keyof (typeof changes)[number]) => sql.param(changes.map((change) => change[key]))
  // A value that was changed since it was read keeps the change.
  const { rowCount } = await orm.execute(sql`
    update ${table} set ${value} = page.encrypted ${index ? sql`, ${sql.identifier(index.column)} = page.digest` : sql``}
    from unnest(${parameter('id')}::${type}[], ${parameter('value')}::bytea[], ${parameter('encrypted')}::bytea[],
      ${parameter('digest')}::bytea[]) as page(id, value, encrypted, digest)
    where ${table}.${id} = page.id and ${table}.${value} = page.value`)
  return { rotated: rowCount ?? 0, last }
}

function decryptOrUndefined(encryption: Encryption, value: Buffer, owner: string): string | undefined {
  try {
    return encryption.decrypt(value, owner)
  } catch {
    return undefined
  }
}
