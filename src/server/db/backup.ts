// Reads all rows of a database in one snapshot.
import pg, { type ClientBase } from 'pg'
import { BackupRefused, type Counts, type Part, type TableShape } from '#server/db/backup-file.ts'
import { migrationsIn, quoted, sequencesOf, tablesIn } from '#server/db/catalog.ts'
import type { Engine } from '#server/db/engine.ts'
import { migrationLock, takeLock } from '#server/db/migrate.ts'

const fetchCharacters = 2 ** 20
const maxFetchRows = 2_000

export async function* readDatabase(
  engine: Engine,
  onTableRead: (table: string, rows: number) => void,
): AsyncGenerator<Part> {
  const client = new pg.Client({ ...engine.direct, connectionTimeoutMillis: 10_000 })
  // Without a listener, a connection lost between two queries would end the process. The next query reports the loss.
  client.on('error', () => {})
  await client.connect()
  try {
    // Before the snapshot, because a migration would change the tables that are still to be read.
    await takeLock(client, 'pg_try_advisory_lock_shared', migrationLock)
    await client.query('begin isolation level repeatable read read only')
    await client.query(`set local datestyle = 'ISO'; set local timezone = 'UTC'; set local bytea_output = 'hex'`)
    const migrations = await migrationsIn(client)
    if (migrations.length === 0) throw new BackupRefused('não há dados do Mobiliza nesse banco')
    const tables = await tablesIn(client)
    const sequences = []
    for (const name of await sequencesOf(client, tables)) {
      const { rows } = await client.query(
        `select last_value as "lastValue", is_called as "isCalled" from ${quoted(name)}`,
      )
      sequences.push({ name, ...rows[0] })
    }
    yield { head: { mobiliza: 1, createdAt: new Date().toISOString(), migrations, tables, sequences } }
    const counts: Counts = {}
    for (const table of tables) {
      yield { table: table.name }
      let rows = 0
      for await (const row of rowsOf(client, table)) {
        rows += 1
        yield { row }
      }
      counts[table.name] = rows
      onTableRead(table.name, rows)
    }
    yield { end: counts }
    await client.query('rollback')
  } finally {
    await client.end()
  }
}

async function* rowsOf(client: ClientBase, { name, columns }: TableShape): AsyncGenerator<string> {
  const values = columns.map((column) => `${quoted(column.name)}::text`).join(', ')
  await client.query(
    `declare backup_rows no scroll cursor for select json_build_array(${values})::text as row from ${quoted(name)}`,
  )
  // An image is as large as a thousand signatures, and a file of an import as a hundred images, so the size of each
  // fetch depends on the rows of the last one.
  for (let count = 1; count > 0; ) {
    const { rows } = await client.query<{ row: string }>(`fetch ${count} from backup_rows`)
    let characters = 0
    for (const { row } of rows) {
      characters += row.length
      yield row
    }
    const fitting = Math.floor((rows.length * fetchCharacters) / characters)
    count = rows.length === 0 ? 0 : Math.min(Math.max(fitting, 1), maxFetchRows)
  }
  await client.query('close backup_rows')
}
