// What a database of ours is made of, as it says itself: migrations, tables, columns, sequences.
import { getTableName } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { ClientBase } from 'pg'
import type { TableShape } from '#server/db/backup-file.ts'
import { migrationsFolder } from '#server/db/migrate.ts'
import * as schema from '#server/db/schema.ts'

/** Digests of the migrations that were run, in their order; none, if it is not ours yet. */
export async function migrationsIn(client: ClientBase): Promise<string[]> {
  const { rows: tables } = await client.query(`select to_regclass('drizzle.__drizzle_migrations') as "table"`)
  if (!tables[0]?.table) return []
  const { rows } = await client.query<{ hash: string }>(
    'select hash from drizzle.__drizzle_migrations order by created_at',
  )
  return rows.map(({ hash }) => hash)
}

/** Names that any version has used: a database may be older than this code, and may hold tables of others. */
function ourTables(): string[] {
  const created = readMigrationFiles({ migrationsFolder }).flatMap(({ sql }) =>
    [...sql.join().matchAll(/create table (?:if not exists )?"(\w+)"/gi)].map(([, name]) => String(name)),
  )
  return [...created, ...Object.values(schema).map(getTableName)]
}

/** Ours alone. A table comes after those that its rows refer to. */
export async function tablesIn(client: ClientBase): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape & { refersTo: string[] }>(
    `
    select c.relname as name,
      (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum)
        from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
      (select coalesce(json_agg(distinct f.relname), '[]') from pg_constraint k join pg_class f on f.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and f.oid <> c.oid) as "refersTo"
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname = any($1) order by 1`,
    [ourTables()],
  )
  const ordered: TableShape[] = []
  const isDone = (name: string) => ordered.some((table) => table.name === name)
  for (let left = rows; left.length > 0; left = left.filter(({ name }) => !isDone(name))) {
    const ready = left.filter(({ refersTo }) => refersTo.every(isDone))
    if (ready.length === 0) throw new Error('tables refer to each other in a circle')
    ordered.push(...ready.map(({ name, columns }) => ({ name, columns })))
  }
  return ordered
}

/** Those that give our tables their numbers. */
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
