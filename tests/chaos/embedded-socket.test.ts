// The embedded engine has one session, which its clients share without noticing it.
import { rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { getTableName } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Embedded, startEmbedded } from '#server/db/embedded.ts'
import * as schema from '#server/db/schema.ts'
import { temporaryFolder } from '#tests/helpers/server-process.ts'

const dataDir = temporaryFolder()
let engine: Embedded
beforeAll(async () => {
  engine = await startEmbedded(dataDir, { maintenanceIntervalMs: 500 })
})
afterAll(async () => {
  await engine.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ ...engine.connection, query_timeout: 10_000 })
  client.on('error', () => {})
  await client.connect()
  return client
}

test('a statement that arrives in several chunks is not mixed with statements of other clients', async () => {
  const big = 'x'.repeat(400_000)
  const clients = await Promise.all([connect(), connect(), connect(), connect()])

  const answers = await Promise.all(
    clients.map(async (client, number) => {
      const expected = Array.from({ length: 50 }, (_, index) => [`${number}.${index}`, number % 2 ? big : 'y'])
      const received: unknown[] = []
      for (const values of expected) {
        const { rows } = await client.query(`select $1::text as mine, length($2) as size, ${number} as client`, values)
        received.push(rows[0])
      }
      return { expected: expected.map(([mine, value]) => ({ mine, size: value?.length, client: number })), received }
    }),
  )

  for (const { expected, received } of answers) expect(received).toEqual(expected)
  await Promise.all(clients.map((client) => client.end()))
})

test('other clients wait for a transaction, and continue when its client disconnects before the end', async () => {
  const [owner, other] = await Promise.all([connect(), connect()])
  await other.query('create table saldo as select 1 as n')
  await owner.query('begin')
  await owner.query('update saldo set n = 2')

  const waiting = other.query('select n from saldo')
  const early = await Promise.race([waiting, delay(300)])
  // An abrupt disconnect, as when a process is killed.
  Reflect.get(owner, 'connection').stream.destroy()
  const { rows } = await waiting

  expect(early).toBeUndefined()
  expect(rows).toEqual([{ n: 1 }])
  await other.end()
})

test('a failed statement is reported only to its client, and every connection stays open', async () => {
  const [one, other] = await Promise.all([connect(), connect()])

  const failure = one.query('select 1 / $1::int', [0])
  const answer = other.query('select 7 as n')

  await expect(failure).rejects.toMatchObject({ code: '22012' })
  expect((await answer).rows).toEqual([{ n: 7 }])
  expect((await one.query('select 8 as n')).rows).toEqual([{ n: 8 }])
  await Promise.all([one.end(), other.end()])
})

test('tables are vacuumed automatically: the space of deleted rows is reused, and statistics are updated', async () => {
  const client = await connect()
  // Only tables of the schema are vacuumed. A new database may have them already.
  await client.query('drop table if exists outbox')
  await client.query('create table outbox (id int primary key, payload text)')
  await client.query(`insert into outbox select n, repeat('x', 100) from generate_series(1, 5000) n`)
  await client.query('delete from outbox where id <= 4000')

  const statistics = () => client.query(`select reltuples::int as rows from pg_class where relname = 'outbox'`)
  while ((await statistics()).rows[0]?.rows !== 1000) await delay(50)
  const before = await client.query(`select pg_relation_size('outbox') as size`)
  await client.query(`insert into outbox select n, repeat('y', 100) from generate_series(10001, 13000) n`)
  const after = await client.query(`select pg_relation_size('outbox') as size`)

  expect(after.rows).toEqual(before.rows)
  await client.end()
})

test('queries are answered between the vacuums of two tables, and the WAL does not accumulate', async () => {
  const client = await connect()
  const { rows: tables } = await client.query(
    `
    select format('drop table if exists %1$I cascade; create table %1$I as select n from generate_series(1, 2000) n', name) as statement
    from unnest($1::text[]) name`,
    [Object.values(schema).map(getTableName)],
  )
  for (const { statement } of tables) await client.query(statement)
  await client.query('create table medida as select pg_current_wal_lsn() as lsn, now() as at')

  const seen = new Set<number>()
  const vacuumed = async () => {
    const { rows } = await client.query<{ n: number; checkpointed: boolean }>(`
      select count(*)::int as n, (select redo_lsn > lsn from pg_control_checkpoint(), medida) as checkpointed
      from pg_stat_user_tables where last_vacuum > (select at from medida)`)
    seen.add(rows[0]?.n ?? 0)
    return rows[0]?.checkpointed
  }
  await expect.poll(vacuumed, { timeout: 20_000, interval: 1 }).toBe(true)

  expect(seen.size).toBeGreaterThan(5)
  await client.end()
})
