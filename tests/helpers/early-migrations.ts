import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
