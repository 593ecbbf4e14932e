// Puts a backup into a database in one transaction: all of it, or nothing is changed. Older backups are brought up to date.
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import pg, { type ClientBase } from 'pg'
import { BackupRefused, type Counts, checkBackup, readBackup, type TableShape } from '#server/db/backup-file.ts'
import { migrationsIn, quoted, tablesIn } from '#server/db/catalog.ts'
import { applicationName, type Engine } from '#server/db/engine.ts'
import { applyMigration, migrationsFolder, startLock, takeLock } from '#server/db/migrate.ts'

const insertedCharacters = 2 ** 20
const mostRows = 1_000
const tableExists = '42P07'
/** Where people's data is. */
const peoplesTables = ['peticoes', 'contacts', 'influenciadores', 'lideres', 'bot_conversas']

export interface RestoreOptions {
  file: string
  /** Also when the database already holds people's data, which are then gone. */
  replace: boolean
  /** Done in the same transaction, once all rows are there. */
  finish(client: ClientBase, backupAt: Date): Promise<void>
  /** Tells each table when it has been written. */
  tell(table: string, rows: number): void
}

export async function restoreDatabase(engine: Engine, options: RestoreOptions): Promise<Counts> {
  const { file, replace } = options
  const { head, counts } = await checkBackup(file)
  const known = readMigrationFiles({ migrationsFolder })
  if (!isBeginning(head.migrations, known))
    throw new BackupRefused('a cópia foi feita por outra versão do Mobiliza, que esta não conhece: atualize o Mobiliza')

  const client = new pg.Client({ ...engine.direct, connectionTimeoutMillis: 10_000 })
  // A connection lost between two queries is told by the next query; without a listener it would end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    await takeLock(client, 'pg_try_advisory_lock', startLock)
    await refuseWhileServersRun(client)
    await client.query('begin')
    await clear(client, known, replace)
    await migrate(client, known.slice(0, head.migrations.length))
    const tables = await tablesIn(client)
    if (JSON.stringify(tables) !== JSON.stringify(head.tables))
      throw new BackupRefused('as tabelas da cópia não são as desta versão do Mobiliza')
    await insertRows(client, options, { tables, counts })
    for (const { name, lastValue, isCalled } of head.sequences)
      await client.query('select setval($1, $2, $3)', [`public.${quoted(name)}`, lastValue, isCalled])
    await migrate(client, known.slice(head.migrations.length))
    await options.finish(client, new Date(head.createdAt))
    await client.query('analyze')
    await client.query('commit')
    return counts
  } finally {
    // Without its commit, the transaction goes with the connection.
    await client.end()
  }
}

/** What they keep in memory, and what they deliver meanwhile, would be of the database before. */
async function refuseWhileServersRun(client: ClientBase): Promise<void> {
  const { rows } = await client.query(
    `select from pg_stat_activity where datname = current_database() and application_name = $1 limit 1`,
    [applicationName],
  )
  if (rows.length > 0)
    throw new BackupRefused(
      'há um servidor do Mobiliza ligado a este banco. Pare todos os servidores, e o pgbouncer se houver, e repita o comando',
    )
}

function isBeginning(hashes: string[], known: MigrationMeta[]): boolean {
  return hashes.every((hash, index) => hash === known[index]?.hash)
}

/** Takes our tables away; those of anybody else are left alone. */
async function clear(client: ClientBase, known: MigrationMeta[], replace: boolean): Promise<void> {
  const present = await migrationsIn(client)
  if (present.length === 0) return
  if (!isBeginning(present, known))
    throw new BackupRefused('o banco é de uma versão mais nova do Mobiliza: atualize o Mobiliza')
  const tables = (await tablesIn(client)).map(({ name }) => name)
  for (const table of tables.filter((name) => peoplesTables.includes(name) && !replace)) {
    const { rows } = await client.query(`select exists (select from ${quoted(table)}) as "hasRows"`)
    if (rows[0]?.hasRows)
      throw new BackupRefused(
        'o banco já tem dados de pessoas, que seriam apagados. Para trocá-los pelos da cópia, acrescente --substituir',
      )
  }
  await client.query(`drop table ${tables.map(quoted).join(', ')}`)
  await client.query('delete from drizzle.__drizzle_migrations')
}

/** As the start of a server does it, but within our transaction. */
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
  { file, tell }: RestoreOptions,
  { tables, counts }: { tables: TableShape[]; counts: Counts },
): Promise<void> {
  let table: TableShape | undefined
  let batch: string[] = []
  let characters = 0
  let written = 0

  async function insertBatch(): Promise<void> {
    if (!table || batch.length === 0) return
    const { rowCount } = await client.query(insertionInto(table), [`[${batch.join(',')}]`])
    written += rowCount ?? 0
    batch = []
    characters = 0
  }
  async function finishTable(): Promise<void> {
    await insertBatch()
    if (!table) return
    // The file was read once before; it must not have become another one since.
    if (written !== counts[table.name]) throw new BackupRefused(`${file} mudou durante a leitura: nada foi alterado`)
    tell(table.name, written)
    written = 0
  }

  for await (const part of readBackup(file)) {
    if ('row' in part) {
      batch.push(part.row)
      characters += part.row.length
      if (batch.length >= mostRows || characters >= insertedCharacters) await insertBatch()
    } else if ('table' in part) {
      await finishTable()
      table = tables.find(({ name }) => name === part.table)
    }
  }
  await finishTable()
}

function insertionInto({ name, columns }: TableShape): string {
  const names = columns.map((column) => quoted(column.name)).join(', ')
  const values = columns.map(({ type }, index) => `(r->>${index})::${type}`).join(', ')
  return `insert into ${quoted(name)} (${names}) overriding system value select ${values} from json_array_elements($1::json) r`
}
