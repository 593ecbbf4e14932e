import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientBase } from 'pg'
import { migrationsFolder } from '#server/db/migrate.ts'

interface Journal {
  entries: { tag: string }[]
}

/** Copies the migrations before the one with this tag, as an earlier version had them, for the migrator of drizzle. */
export function copyMigrationsBefore(tag: string, folder: string): string {
  cpSync(migrationsFolder, folder, { recursive: true })
  const file = join(folder, 'meta/_journal.json')
  const { entries, ...rest }: Journal = JSON.parse(readFileSync(file, 'utf8'))
  const end = entries.findIndex((entry) => entry.tag === tag)
  if (end < 0) throw new Error(`no migration ${tag}`)
  writeFileSync(file, JSON.stringify({ ...rest, entries: entries.slice(0, end) }))
  return folder
}

/** Renames columns of an early schema to their present names or back. Columns that it lacks are left out. */
export async function renameColumns(client: ClientBase, direction: 'to present' | 'to former'): Promise<void> {
  const text = ['0017_english_columns.sql', '0029_address_hmacs.sql']
    .map((name) => readFileSync(join(migrationsFolder, name), 'utf8'))
    .join('')
  const renamed = [...text.matchAll(/ALTER TABLE "(\w+)" RENAME COLUMN "(\w+)" TO "(\w+)"/g)]
  for (const [, table, former, present] of direction === 'to present' ? renamed : renamed.reverse()) {
    const [from, to] = direction === 'to present' ? [former, present] : [present, former]
    const { rows } = await client.query(
      `select from information_schema.columns where table_schema = 'public' and table_name = $1 and column_name = $2`,
      [table, from],
    )
    if (rows.length > 0) await client.query(`alter table "${table}" rename column "${from}" to "${to}"`)
  }
}
