// Migrates the database and seeds an empty one. Other servers that start at the same time wait.
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg, { type ClientBase } from 'pg'
import { ConfigError } from '#server/core/config.ts'
import { retry } from '#server/core/retry.ts'
import { codeOf } from '#server/db/database.ts'
import type { Engine } from '#server/db/engine.ts'
import * as schema from '#server/db/schema.ts'
import { grantSiteRole } from '#server/db/site-role.ts'

export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))
/** Advisory locks. A server holds the first while it starts; migrations hold the second, which a backup shares. */
export const startLock = 7_266_454
export const migrationLock = 7_266_455
/** How long a migration waits for a table: `pg_dump` locks every table until it ends. */
export const tableLockTimeoutMs = 30 * 60_000
const maxRetryPauseMs = 5_000
const lockPauseMs = 100
/** The lock was not available in time, or there was a deadlock with a signature. */
const isLocked = (error: unknown) => ['55P03', '40P01'].includes(codeOf(error) ?? '')
const minVersion = 14

export type SchemaDatabase = NodePgDatabase<typeof schema>

/** `fill` runs after the migrations, under the same lock. */
export async function migrateDatabase(
  engine: Engine,
  fill: (orm: SchemaDatabase, client: ClientBase) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ ...(engine.owner?.connection ?? engine.direct), connectionTimeoutMillis: 10_000 })
  // Without a listener, a connection lost between two queries would end the process. The next query reports the loss.
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query('show server_version_num')
    checkVersion(Number(rows[0]?.server_version_num))
    await takeLock(client, 'pg_try_advisory_lock', startLock)
    await applyPending(client, engine.kind === 'postgres' ? 'concurrently' : '')
    const { owner } = engine
    if (owner) await inTransaction(client, () => grantSiteRole(client, owner.siteRole))
    await fill(drizzle(client, { schema }), client)
    await client.query('select pg_advisory_unlock($1)', [startLock])
  } finally {
    await client.end()
  }
}

/** Polls, because a query that waits keeps its snapshot, and `create index concurrently` waits for every snapshot. */
export async function takeLock(
  client: ClientBase,
  attempt: 'pg_try_advisory_lock' | 'pg_try_advisory_lock_shared',
  key: number,
): Promise<void> {
  for (;;) {
    const { rows } = await client.query(`select ${attempt}($1) as taken`, [key])
    if (rows[0]?.taken) return
    await delay(lockPauseMs)
  }
}

export function checkVersion(versionNumber: number): void {
  const major = Math.floor(versionNumber / 10_000)
  if (major < minVersion)
    throw new ConfigError([
      `o PostgreSQL de DATABASE_URL é da versão ${major}; o Mobiliza precisa da versão ${minVersion} ou de uma mais nova`,
    ])
}

async function applyPending(client: ClientBase, concurrently: 'concurrently' | ''): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder })
  const pending = await findPending(client, migrations)
  // Before the pending migrations, which may rename the columns of an index whose build was killed.
  await buildIndexes(client, migrations.slice(0, migrations.length - pending.length), concurrently)
  if (pending.length === 0) return
  await takeLock(client, 'pg_try_advisory_lock', migrationLock)
  for (const migration of pending) {
    // Signatures queue behind a migration that waits for a table, so each attempt is short and is repeated later.
    await client.query(`set lock_timeout = '200ms'`)
    // One transaction per migration, so that a lock is held no longer than its migration takes.
    const apply = () => applyMigration(client, migration, { indexes: 'of new tables' })
    await retry(() => inTransaction(client, apply), {
      timeoutMs: tableLockTimeoutMs,
      maxPauseMs: maxRetryPauseMs,
      isTransient: isLocked,
    })
    await client.query('reset lock_timeout')
    const applied = migrations.slice(0, migrations.indexOf(migration) + 1)
    await buildIndexes(client, applied, concurrently)
  }
  await client.query('select pg_advisory_unlock($1)', [migrationLock])
}

async function findPending(client: ClientBase, migrations: MigrationMeta[]): Promise<MigrationMeta[]> {
  // The role of the site may not create schemas, also if they exist.
  const { rows: tables } = await client.query(`select to_regclass('drizzle.__drizzle_migrations') as "table"`)
  if (!tables[0]?.table) {
    await client.query('create schema if not exists drizzle')
    await client.query(
      'create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
    )
  }
  const { rows } = await client.query('select coalesce(max(created_at), 0) as last from drizzle.__drizzle_migrations')
  return migrations.filter(({ folderMillis }) => folderMillis > Number(rows[0]?.last))
}

export async function inTransaction<Result>(client: ClientBase, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

export async function applyMigration(
  client: ClientBase,
  migration: MigrationMeta,
  { indexes }: { indexes: 'all' | 'of new tables' },
): Promise<void> {
  const { sql, hash, folderMillis } = migration
  const deferred = new Set(
    indexes === 'all' ? [] : indexesOfExistingTables(migration).map(({ statement }) => statement),
  )
  for (const statement of sql) if (!deferred.has(statement)) await client.query(statement)
  await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
    hash,
    folderMillis,
  ])
}

interface NewIndex {
  statement: string
  name: string
}

/**
 * The indexes of tables that existed before the migration. Such a table may have millions of rows, and an ordinary
 * `create index` blocks every write until the index is built.
 */
function indexesOfExistingTables({ sql }: MigrationMeta): NewIndex[] {
  const created = new Set(sql.flatMap((statement) => /^\s*create table "(\w+)"/i.exec(statement)?.[1] ?? []))
  return sql.flatMap((statement) => {
    const [, name, table = ''] = /^\s*create (?:unique )?index "(\w+)" on "(\w+)"/i.exec(statement) ?? []
    return name && !created.has(table) ? [{ statement, name }] : []
  })
}

/** The indexes that the migrations built outside of their transactions and did not drop again. */
function indexesBuiltBy(applied: MigrationMeta[]): NewIndex[] {
  const built = new Map<string, NewIndex>()
  for (const migration of applied) {
    // A migration may drop an index and create another one with its name.
    for (const statement of migration.sql) built.delete(/^\s*drop index "(\w+)"/i.exec(statement)?.[1] ?? '')
    for (const index of indexesOfExistingTables(migration)) built.set(index.name, index)
  }
  return [...built.values()]
}

/** Builds missing indexes, and invalid ones: PostgreSQL leaves an index invalid if its build was killed. */
async function buildIndexes(client: ClientBase, applied: MigrationMeta[], concurrently: string): Promise<void> {
  const wanted = indexesBuiltBy(applied)
  const { rows } = await client.query<{ name: string; isValid: boolean }>(
    `select relname as name, indisvalid as "isValid" from pg_index join pg_class on oid = indexrelid
    where relnamespace = 'public'::regnamespace and relname = any($1)`,
    [wanted.map(({ name }) => name)],
  )
  const isValid = new Map(rows.map((row) => [row.name, row.isValid]))
  for (const { name, statement } of wanted.filter((index) => !isValid.get(index.name))) {
    if (isValid.has(name)) await client.query(`drop index ${concurrently} "${name}"`)
    await client.query(statement.replace(/^(\s*create (?:unique )?index)/i, `$1 ${concurrently}`))
  }
}
