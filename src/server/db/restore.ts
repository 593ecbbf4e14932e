// Restores a backup in one transaction: all of it or nothing. Backups of older versions are migrated.
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import pg, { type ClientBase } from 'pg'
import {
  BackupRefused,
  type BackupSource,
  type Counts,
  checkBackup,
  readBackup,
  type TableShape,
} from '#server/db/backup-file.ts'
import { migrationsIn, quoted, tablesIn } from '#server/db/catalog.ts'
import { applicationName, type Engine } from '#server/db/engine.ts'
import { applyMigration, migrationsFolder, startLock, takeLock } from '#server/db/migrate.ts'
import { allTables } from '#server/db/people-descriptors.ts'
import { grantSiteRole } from '#server/db/site-role.ts'

const maxBatchCharacters = 2 ** 20
const maxBatchRows = 1_000
const tableExists = '42P07'
const personalDataTables: string[] = [...allTables.map(({ table }) => table), 'bot_conversas']

interface RestoreOptions extends BackupSource {
  /** Allows the restore to delete personal data that is already in the database. */
  replace: boolean
  /** Runs before the tables of the database are dropped. */
  prepare(client: ClientBase): Promise<void>
  /** Runs in the same transaction, after all rows are inserted. */
  finish(client: ClientBase, backupAt: Date): Promise<void>
  /** Called when a table has been written. */
  tell(table: string, rows: number): void
}

export async function restoreDatabase(engine: Engine, options: RestoreOptions): Promise<Counts> {
  const { replace } = options
  const { head, counts } = await checkBackup(options)
  const migrations = readMigrationFiles({ migrationsFolder })
  if (!isPrefixOf(head.migrations, migrations))
    throw new BackupRefused('a cópia foi feita por outra versão do Mobiliza, que esta não conhece: atualize o Mobiliza')

  const client = new pg.Client({ ...(engine.owner?.connection ?? engine.direct), connectionTimeoutMillis: 10_000 })
  // Without a listener, a connection lost between two queries would end the process. The next query reports the loss.
  client.on('error', () => {})
  await client.connect()
  try {
    await takeLock(client, 'pg_try_advisory_lock', startLock)
    await refuseWhileServersRun(client)
    await client.query('begin')
    await options.prepare(client)
    await dropOwnTables(client, migrations, replace)
    await migrate(client, migrations.slice(0, head.migrations.length))
    const tables = await tablesIn(client)
    if (JSON.stringify(tables) !== JSON.stringify(head.tables))
      throw new BackupRefused('as tabelas da cópia não são as desta versão do Mobiliza')
    await insertRows(client, options, { tables, counts })
    for (const { name, lastValue, isCalled } of head.sequences)
      await client.query('select setval($1, $2, $3)', [`public.${quoted(name)}`, lastValue, isCalled])
    await migrate(client, migrations.slice(head.migrations.length))
    await options.finish(client, new Date(head.createdAt))
    if (engine.owner) await grantSiteRole(client, engine.owner.siteRole)
    await client.query('analyze')
    await client.query('commit')
    return counts
  } finally {
    // If there was no commit, closing the connection rolls the transaction back.
    await client.end()
  }
}

/** A running server would keep data of the old database in its caches, and would deliver from it during the restore. */
export async function refuseWhileServersRun(client: ClientBase): Promise<void> {
  const { rows } = await client.query(
    `select from pg_stat_activity where datname = current_database() and application_name = $1 limit 1`,
    [applicationName],
  )
  if (rows.length > 0)
    throw new BackupRefused(
      'há um servidor do Mobiliza ligado a este banco. Pare todos os servidores, e o pgbouncer se houver, e repita o comando',
    )
}

function isPrefixOf(hashes: string[], migrations: MigrationMeta[]): boolean {
  return hashes.every((hash, index) => hash === migrations[index]?.hash)
}

/** Drops the tables of Mobiliza. Tables of other programs stay. */
async function dropOwnTables(client: ClientBase, migrations: MigrationMeta[], replace: boolean): Promise<void> {
  const applied = await migrationsIn(client)
  if (applied.length === 0) return
  if (!isPrefixOf(applied, migrations))
    throw new BackupRefused('o banco é de uma versão mais nova do Mobiliza: atualize o Mobiliza')
  const tables = (await tablesIn(client)).map(({ name }) => name)
  for (const table of tables.filter((name) => personalDataTables.includes(name) && !replace)) {
    const { rows } = await client.query(`select exists (select from ${quoted(table)}) as "hasRows"`)
    if (rows[0]?.hasRows)
      throw new BackupRefused(
        'o banco já tem dados de pessoas, que seriam apagados. Para trocá-los pelos da cópia, acrescente --substituir',
      )
  }
  await client.query(`drop table ${tables.map(quoted).join(', ')}`)
  await client.query('delete from drizzle.__drizzle_migrations')
}

/** Applies the migrations like the start of a server, but inside the transaction of the restore. */
async function migrate(client: ClientBase, migrations: MigrationMeta[]): Promise<void> {
  await client.query('create schema if not exists drizzle')
  await client.query(
    'create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  )
  try {
    for (const migration of migrations) await applyMigration(client, migration, { indexes: 'all' })
  } catch (error) {
    if ((error as { code?: string }).code !== tableExists) throw error
    throw new BackupRefused('o banco tem tabelas de outro programa com os mesmos nomes: use um banco vazio')
  }
}

async function insertRows(
  client: ClientBase,
  { file, key, tell }: RestoreOptions,
  { tables, counts }: { tables: TableShape[]; counts: Counts },
): Promise<void> {
  let table: TableShape | undefined
  let batch: string[] = []
  let characters = 0
  let written = 0

  async function insertBatch(): Promise<void> {
    if (!table || batch.length === 0) return
    const { rowCount } = await client.query(insertStatement(table), [`[${batch.join(',')}]`])
    written += rowCount ?? 0
    batch = []
    characters = 0
  }
  async function finishTable(): Promise<void> {
    await insertBatch()
    if (!table) return
    // `checkBackup` has read the file before. It must not have changed since.
    if (written !== counts[table.name]) throw new BackupRefused(`${file} mudou durante a leitura: nada foi alterado`)
    tell(table.name, written)
    written = 0
  }

  for await (const part of readBackup({ file, key })) {
    if ('row' in part) {
      batch.push(part.row)
      characters += part.row.length
      if (batch.length >= maxBatchRows || characters >= maxBatchCharacters) await insertBatch()
    } else if ('table' in part) {
      await finishTable()
      table = tables.find(({ name }) => name === part.table)
    }
  }
  await finishTable()
}

function insertStatement({ name, columns }: TableShape): string {
  const names = columns.map((column) => quoted(column.name)).join(', ')
  const values = columns.map(({ type }, index) => `(r->>${index})::${type}`).join(', ')
  return `insert into ${quoted(name)} (${names}) overriding system value select ${values} from json_array_elements($1::json) r`
}
