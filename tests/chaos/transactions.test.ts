// Transactions while the database is slow, silent or down: they are atomic, and later ones find a free connection.
import { rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createLog } from '#server/core/log.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { startProxy } from '#tests/chaos/proxy.ts'
import { createCluster } from '#tests/helpers/postgres.ts'
import { temporaryFolder } from '#tests/helpers/server-process.ts'

interface Source {
  connection: pg.ClientConfig
  stop(): Promise<void>
}

async function openEmbedded(): Promise<Source> {
  const dataDir = temporaryFolder()
  const { connection, stop } = await startEmbedded(dataDir)
  return {
    connection,
    async stop() {
      await stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function openPostgres(): Promise<Source> {
  const cluster = await createCluster()
  return { connection: { connectionString: await cluster.createDatabase('mobiliza') }, stop: cluster.remove }
}

const connections = 2
let source: Source
let database: Database

/** Short timeouts keep the tests fast. */
function open(connection: pg.ClientConfig, namedStatements = false): Database {
  const opened = openDatabase(
    {
      kind: 'postgres',
      pool: { ...connection, max: connections, query_timeout: 1_500, connectionTimeoutMillis: 10_000 },
      direct: connection,
      namedStatements,
      shortenTimeouts: () => {},
      stop: async () => {},
    },
    createLog('silent'),
  )
  onTestFinished(() => opened.close())
  return opened
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(source.connection)
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

async function makeTable(): Promise<void> {
  const client = new pg.Client(source.connection)
  await client.connect()
  await client.query('create table palavras (palavra text primary key)')
  await client.end()
}

const write = (word: string) => database.query('write', 'insert into palavras values ($1)', [word])
const stored = async () => (await (await connect()).query('select palavra from palavras order by 1')).rows

describe.each([
  ['the embedded engine', openEmbedded],
  ['PostgreSQL', openPostgres],
])('on %s', (_, openSource) => {
  beforeAll(async () => {
    source = await openSource()
    await makeTable()
  })
  afterAll(() => source.stop())
  beforeEach(async () => {
    database = open(source.connection)
    await database.query('empty', 'delete from palavras', [])
  })

  test('a transaction is stored when it succeeds and leaves nothing when it fails', async () => {
    const answer = await database.transaction(async (tx) => {
      await tx.execute(sql`insert into palavras values ('fica')`)
      return 7
    })
    expect(answer).toBe(7)
    const refused = database.transaction(async (tx) => {
      await tx.execute(sql`insert into palavras values ('some')`)
      throw new Error('thought better of it')
    })
    await expect(refused).rejects.toThrow('thought better of it')
    const broken = database.transaction(async (tx) => {
      await tx.execute(sql`insert into palavras values ('some também')`)
      await tx.execute(sql`insert into palavras values ('fica')`)
    })
    await expect(broken).rejects.toMatchObject({ cause: { code: '23505' } })
    expect(await stored()).toEqual([{ palavra: 'fica' }])
  })

  test('the connection of a transaction that timed out on a lock is not reused, and later writes are stored', async () => {
    const other = await connect()
    await other.query('begin')
    await other.query(`insert into palavras values ('disputada')`)

    // As many transactions as connections, so that the next statement must reuse one of their connections.
    const tries = await Promise.allSettled(
      Array.from({ length: connections }, () =>
        database.transaction((tx) => tx.execute(sql`insert into palavras values ('disputada')`)),
      ),
    )
    expect(tries.map(({ status }) => status)).toEqual(Array(connections).fill('rejected'))
    await other.query('rollback')

    for (let n = 1; n <= 2 * connections; n++) await write(`depois ${n}`)
    expect(await stored()).toEqual([1, 2, 3, 4].map((n) => ({ palavra: `depois ${n}` })))
  })
})

describe('when the connection to PostgreSQL fails', () => {
  let proxy: Awaited<ReturnType<typeof startProxy>>
  let port: number
  beforeAll(async () => {
    const cluster = await createCluster()
    port = cluster.port
    source = { connection: { connectionString: await cluster.createDatabase('mobiliza') }, stop: cluster.remove }
    await makeTable()
  })
  afterAll(() => source.stop())
  beforeEach(async () => {
    proxy = await startProxy(port)
    const direct = new URL(String(source.connection.connectionString))
    direct.hostname = '127.0.0.1'
    direct.port = String(proxy.port)
    database = open({ connectionString: direct.href })
    onTestFinished(() => proxy.stop())
    await database.query('empty', 'delete from palavras', [])
  })

  test('inside a transaction, the caller gets an error, the process continues, and nothing is stored', async () => {
    for (let times = 0; times < 2 * connections; times++) {
      const cut = database.transaction(async (tx) => {
        await tx.execute(sql`insert into palavras values ('cortada')`)
        proxy.switchTo(port)
        await delay(50)
        await tx.execute(sql`select 1`)
      })
      await expect(cut).rejects.toThrow()
    }
    await write('depois')
    expect(await stored()).toEqual([{ palavra: 'depois' }])
  })

  test('silently, a transaction whose begin is never answered does not block its connection forever', async () => {
    // Opens all connections first.
    await Promise.all(Array.from({ length: connections }, () => database.query('nap', 'select pg_sleep(0.1)', [])))
    proxy.stall()
    const transactions = Array.from({ length: connections }, () =>
      database.transaction(async (tx) => tx.execute(sql`select 1`)),
    )
    for (const { status } of await Promise.allSettled(transactions)) expect(status).toBe('rejected')
    proxy.resume()

    await Promise.all(Array.from({ length: 2 * connections }, (_, n) => write(`depois ${n}`)))
    expect(await stored()).toHaveLength(2 * connections)
  })

  test('a statement timeout ends abandoned statements in PostgreSQL', async () => {
    const direct = open(source.connection, true)
    expect(await direct.query('limit', 'show statement_timeout', [])).toEqual([{ statement_timeout: '15s' }])
  })
})
