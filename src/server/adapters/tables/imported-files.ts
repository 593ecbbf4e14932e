// Removes a person from the stored files of imports, so that no import brings an erased person back.
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { readStagedRows, stagedLine } from '#server/adapters/tables/staged-table.ts'
import { canonicalizeEmail } from '#server/core/canonical-email.ts'
import type { Database } from '#server/db/database.ts'

const pieceLength = 64 * 1024

/** Tells by the canonical address. */
export type IsErased = (canonicalEmail: string) => boolean

/**
 * Empties the rows with an address of the person. Their number stays the same, because the progress of an import is a
 * number of rows. A running import loses its lease, and is leased again with the new file.
 */
export async function eraseFromImportedFiles({ query }: Database, isErasedAddress: IsErased): Promise<void> {
  const isErased = (cells: string[]) =>
    cells.some((cell) => cell.includes('@') && isErasedAddress(canonicalizeEmail(cell.replace(/^'/, ''))))

  async function hasRows(file: Buffer): Promise<boolean> {
    for await (const { cells } of readStagedRows(file)) if (isErased(cells)) return true
    return false
  }

  /** In pieces of many lines: compressing each line by itself takes seconds. */
  async function* linesWithout(file: Buffer): AsyncGenerator<string> {
    let lines = ''
    for await (const { line, cells } of readStagedRows(file)) {
      lines += stagedLine({ line, cells: isErased(cells) ? cells.map(() => '') : cells })
      if (lines.length < pieceLength) continue
      yield lines
      lines = ''
    }
    yield lines
  }

  /** False if the file was changed meanwhile. */
  async function rewrite(id: string): Promise<boolean> {
    const [row] = await query<{ file: Buffer | null }>('', 'select file from imports where id = $1', [id])
    if (!row?.file || !(await hasRows(row.file))) return true
    const file = await buffer(Readable.from(linesWithout(row.file)).pipe(createGzip()))
    const written = await query(
      '',
      `update imports set file = $2, "leasedBy" = null, "leasedUntil" = null where id = $1 and file = $3 returning id`,
      [id, file, row.file],
    )
    return written.length > 0
  }

  const imports = await query<{ id: string }>('', 'select id from imports where file is not null order by id', [])
  for (const { id } of imports) while (!(await rewrite(id)));
}
