// Reads the structure of a database from its catalog: migrations, tables, columns, sequences.
import { getTableName } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { ClientBase } from 'pg'
import type { TableShape } from '#server/db/backup-file.ts'
import { migrationsFolder } from '#server/db/migrate.ts'
import * as schema from '#server/db/schema.ts'

/** Digests of the applied migrations, in order. Empty for a database that Mobiliza has not used yet. */
export async function migrationsIn(client: ClientBase): Promise<string[]> {
  const { rows: tables } = await client.query(`select to_regclass('drizzle.__drizzle_migrations') as "table"`)
  if (!tables[0]?.table) return []
  const { rows } = await client.query<{ hash: string }>(
    'select hash from drizzle.__drizzle_migrations order by created_at',
  )
  return rows.map(({ hash }) => hash)
}

/** Whether all migrations of this version, and no others, were applied. */
export async function isMigrated(client: ClientBase): Promise<boolean> {
  const expected = readMigrationFiles({ migrationsFolder }).map(({ hash }) => hash)
  return JSON.stringify(await migrationsIn(client)) === JSON.stringify(expected)
}

/** Table names of every version: a database may be older than this code, and may contain tables of other programs. */
function tableNamesOfAllVersions(): string[] {
  const created = readMigrationFiles({ migrationsFolder }).flatMap(({ sql }) =>
    [...sql.join().matchAll(/create table (?:if not exists )?"(\w+)"/gi)].map(([, name]) => String(name)),
  )
  return [...created, ...Object.values(schema).map(getTableName)]
}

/** Only tables of Mobiliza. A table comes after the tables that its foreign keys reference. */
export async function tablesIn(client: ClientBase): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape & { refersTo: string[] }>(
    `
    select c.relname as name,
      (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum)
        from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
      (select coalesce(json_agg(distinct f.relname), '[]') from pg_constraint k join pg_class f on f.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and f.oid <> c.oid) as "refersTo"
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname = any($1) order by 1`,
    [tableNamesOfAllVersions()],
  )
  const ordered: TableShape[] = []
  const isOrdered = (name: string) => ordered.some((table) => table.name === name)
  for (let remaining = rows; remaining.length > 0; remaining = remaining.filter(({ name }) => !isOrdered(name))) {
    const ready = remaining.filter(({ refersTo }) => refersTo.every(isOrdered))
    if (ready.length === 0) throw new Error('tables refer to each other in a circle')
    ordered.push(...ready.map(({ name, columns }) => ({ name, columns })))
  }
  return ordered
}

/** The sequences that generate the ids of the given tables. */
export async function sequencesOf(client: ClientBase, tables: TableShape[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select s.relname as name from pg_depend d join pg_class s on s.oid = d.objid join pg_class t on t.oid = d.refobjid
    where s.relkind = 'S' and d.deptype in ('a', 'i') and t.relnamespace = 'public'::regnamespace and t.relname = any($1)
    order by 1`,
    [tables.map(({ name }) => name)],
  )
  return rows.map(({ name }) => name)
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
