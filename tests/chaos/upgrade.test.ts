// Upgrades of a PostgreSQL with many signatures, while clients sign and read.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { is } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readAddressKeys } from '#server/core/address-key.ts'
import { readConfig } from '#server/core/config.ts'
import { createLog } from '#server/core/log.ts'
import { openAddressKey } from '#server/db/address-key.ts'
import { readDatabase } from '#server/db/backup.ts'
import { bindAddressKey, hmacSql } from '#server/db/bind-address-key.ts'
import { openEngine } from '#server/db/engine.ts'
import { mailboxHmacSql } from '#server/db/mailbox.ts'
import { inTransaction, migrateDatabase } from '#server/db/migrate.ts'
import * as schema from '#server/db/schema.ts'
import { reportResult } from '#tests/chaos/report.ts'
import { fill } from '#tests/chaos/sites.ts'
import { size } from '#tests/chaos/size.ts'
import { run } from '#tests/helpers/command.ts'
import { copyMigrationsBefore } from '#tests/helpers/early-migrations.ts'
import { type Cluster, createCluster } from '#tests/helpers/postgres.ts'
import { temporaryFolder } from '#tests/helpers/server-process.ts'

let cluster: Cluster
beforeAll(async () => {
  cluster = await createCluster()
})
afterAll(() => cluster.remove())

/** A database in the state before a migration. */
async function databaseBefore(tag: string, name: string): Promise<{ url: string; open(): Promise<pg.Client> }> {
  const url = await cluster.createDatabase(name)
  const open = async () => {
    const client = new pg.Client(url)
    client.on('error', () => {})
    await client.connect()
    onTestFinished(() => client.end())
    return client
  }
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await migrate(drizzle(await open()), { migrationsFolder: copyMigrationsBefore(tag, folder) })
  return { url, open }
}

const store = (client: pg.Client, from: number, to: number, column = 'emailCanonico') =>
  client.query(
    `insert into peticoes (id, campanha, nome, email, "${column}", whatsapp, cidade, estado, "requestId", "versaoConsentimento")
    select gen_random_uuid(), 'juros', 'Fulano ' || n, 'f' || n || '@example.org', 'f' || n || '@example.org', '', '', 'SP',
      gen_random_uuid(), '1'
    from generate_series($1::int, $2::int) n`,
    [from, to],
  )

const undefinedColumn = '42703'

const indexOf = async (client: pg.Client) =>
  (
    await client.query(
      `select indisvalid as valid from pg_index where indexrelid = to_regclass('peticoes_confirmadas')`,
    )
  ).rows

test('signing and reading do not wait for a lock of the upgrade', { timeout: size.testTimeoutMs * 4 }, async () => {
  const { url, open } = await databaseBefore('0002_deeds', 'crescido')
  const [signer, writer] = [await open(), await open()]
  await store(signer, 1, size.upgradedRows)
  await signer.query(`insert into peticoes_por_hora values ('juros', 'SP', date_trunc('hour', now()), $1)`, [
    size.upgradedRows,
  ])
  await signer.query(`set lock_timeout = '1s'`)
  // An open transaction: an ordinary index build would wait for it, and block all other clients.
  await writer.query('begin')
  await store(writer, -1, -1)

  let isOver = false
  const upgraded = fill({ env: { DATABASE_URL: url } }).finally(() => {
    isOver = true
  })
  const durationsMs: number[] = []
  let next = size.upgradedRows
  async function signAndRead(): Promise<void> {
    const startedAt = performance.now()
    next += 1
    // The last migrations rename columns. From then on only servers of this version can sign.
    await store(signer, next, next).catch((error) => {
      if (error.code !== undefinedColumn) throw error
      return store(signer, next, next, 'canonicalEmail')
    })
    await signer.query('select count(*) from peticoes_por_hora')
    durationsMs.push(performance.now() - startedAt)
    await delay(5)
  }
  for (const end = Date.now() + 3_000; Date.now() < end; ) await signAndRead()
  expect(isOver).toBe(false)
  await writer.query('commit')
  while (!isOver) await signAndRead()
  await upgraded

  expect(await indexOf(signer)).toEqual([{ valid: true }])
  const { rows } = await signer.query('select n from signature_totals')
  expect(rows).toEqual([{ n: size.upgradedRows }])
  const slowestMs = Math.round(Math.max(...durationsMs))
  reportResult({
    test: 'upgrade while people sign',
    notes: JSON.stringify({ rows: size.upgradedRows, signed: durationsMs.length, slowestMs }),
  })
})

test('an index that a killed start left invalid is built by the next start', async () => {
  const { url, open } = await databaseBefore('0009_confirmed_signatures', 'interrompido')
  const [client, writer] = [await open(), await open()]
  await writer.query('begin')
  await store(writer, 1, 1)
  const upgrading = fill({ env: { DATABASE_URL: url } }).then(
    () => 'done',
    () => 'killed',
  )
  await expect.poll(() => indexOf(client), { timeout: 20_000, interval: 20 }).toEqual([{ valid: false }])
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'create index%' and datname = current_database()`,
  )
  expect(await upgrading).toBe('killed')
  await writer.query('commit')
  expect(await indexOf(client)).toEqual([{ valid: false }])

  await fill({ env: { DATABASE_URL: url } })

  expect(await indexOf(client)).toEqual([{ valid: true }])
})

test('a start creates every column and index of the schema', async () => {
  const { url, open } = await databaseBefore('0001_bytewise_keys', 'completo')
  await fill({ env: { DATABASE_URL: url } })
  const { rows } = await (await open()).query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'
    union all select relname from pg_index join pg_class on oid = indexrelid where indisvalid`,
  )

  const names = new Set(rows.map(({ name }) => name))
  const tables = Object.values(schema).filter((value) => is(value, PgTable))
  const described = tables
    .map(getTableConfig)
    .flatMap(({ name, columns, indexes }) => [
      ...columns.map((column) => `${name}.${column.name}`),
      ...indexes.map(({ config }) => config.name ?? ''),
    ])
  expect(described.length).toBeGreaterThan(100)
  expect(described.filter((name) => !names.has(name))).toEqual([])
})

test('a start with a migration waits for a backup, a start without a migration does not', async () => {
  const { url } = await databaseBefore('0015_signature_counts', 'copiado')
  const current = await cluster.createDatabase('atual')
  await fill({ env: { DATABASE_URL: current } })
  const backups = []
  for (const from of [url, current]) {
    const parts = readDatabase(await openEngine(readConfig({ DATABASE_URL: from })), () => {})
    await parts.next()
    backups.push(parts)
  }
  let isMigrated = false
  const migrated = fill({ env: { DATABASE_URL: url } }).then(() => {
    isMigrated = true
  })

  await fill({ env: { DATABASE_URL: current } })
  const waitingMigrations = () =>
    cluster.query(`select from pg_stat_activity where datname = 'copiado' and query like '%pg_try_advisory_lock(%'`)
  await expect.poll(async () => (await waitingMigrations()).length, { timeout: 10_000 }).toBe(1)
  expect(isMigrated).toBe(false)
  for (const parts of backups) for await (const _ of parts);
  await migrated
})

test('renamed columns keep their data, and erasing a person still removes the search terms', async () => {
  const { url, open } = await databaseBefore('0017_english_columns', 'renomeado')
  const client = await open()
  await store(client, 1, 1)
  await client.query(`insert into busca_pessoas (tipo, id, palavras) select 'assinaturas', id, 'x' from peticoes`)
  await client.query(
    `insert into outbox (tipo, dados, tentativas, proxima, parada, motivo, reserva)
    values ('email', '{"modelo": "assinatura"}', 8, '2026-02-28 12:00Z', true, 'Recusado.', gen_random_uuid())`,
  )
  const before = await client.query({ text: 'select * from outbox, peticoes', rowMode: 'array' })

  await fill({ env: { DATABASE_URL: url } })

  // Later migrations add columns to the second table.
  const columns = before.fields.length
  const after = await client.query({ text: 'select * from outbox, peticoes', rowMode: 'array' })
  expect(after.rows.map((row) => row.slice(0, columns))).toEqual(before.rows)
  const { rows } = await client.query('select kind, payload, attempts, "dueAt", dead, reason from outbox')
  const [delivery] = rows
  expect(delivery).toMatchObject({ kind: 'email', payload: { modelo: 'assinatura' }, attempts: 8, reason: 'Recusado.' })
  expect(delivery).toMatchObject({ dead: true, dueAt: new Date('2026-02-28T12:00:00Z') })
  await client.query('delete from peticoes')
  expect((await client.query('select 1 from busca_pessoas')).rows).toEqual([])
})

test('a start that is killed while it replaces the digests of addresses leaves all of them or none', {
  timeout: size.testTimeoutMs * 4,
}, async () => {
  const { url, open } = await databaseBefore('0029_address_hmacs', 'resumos')
  const client = await open()
  const addresses = size.upgradedRows
  const digests = `select sha256(convert_to('f' || n || '@example.org', 'UTF8')) as digest from generate_series(1, ${addresses}) n`
  await client.query(
    `insert into enderecos ("addressDigest", "unsubscribedAt") select digest, now() from (${digests}) d`,
  )
  await client.query(
    `insert into emails_por_endereco ("addressDigest", campanha, n) select digest, 'juros', 1 from (${digests}) d`,
  )
  const config = readConfig({ DATABASE_URL: url, DATA_DIR: temporaryFolder() })
  onTestFinished(() => rmSync(config.dataDir, { recursive: true, force: true }))
  let key: Buffer | undefined
  const start = async () =>
    migrateDatabase(await openEngine(config), async (_, connection) => {
      key = (await inTransaction(connection, () => openAddressKey(connection, config, createLog('silent')))).key
    })
  const found = async (hmac: string) => {
    const { rows } = await client.query(
      `with wanted as (select ${hmac} as hmac from (${digests}) d)
      select (select count(*)::int from enderecos join wanted on hmac = "addressHmac") as states,
        (select count(*)::int from emails_por_endereco join wanted on hmac = "addressHmac") as numbers`,
    )
    return rows[0]
  }
  const all = { states: addresses, numbers: addresses }

  await fill({ env: { DATABASE_URL: url } })
  // The statement waits for this row after it has changed others.
  const writer = await open()
  await writer.query('begin')
  await writer.query('select from emails_por_endereco limit 1 for update')
  const starting = start().then(
    () => 'done',
    () => 'killed',
  )
  const kill = `select pg_terminate_backend(pid) from pg_stat_activity where query like 'update emails_por_endereco%' and wait_event_type = 'Lock'`
  await expect.poll(async () => (await client.query(kill)).rowCount, { timeout: 20_000, interval: 20 }).toBe(1)
  expect(await starting).toBe('killed')
  await writer.query('commit')
  expect(await found('digest')).toEqual(all)

  await start()
  await start()

  if (!key) throw new Error('no key')
  bindAddressKey(client, key)
  expect(await found(hmacSql('digest'))).toEqual(all)
  expect((await client.query(`select count(*)::int as n from enderecos`)).rows).toEqual([{ n: addresses }])
})

test('a backup of the version without the key is restored with HMACs', async () => {
  const { url, open } = await databaseBefore('0029_address_hmacs', 'sem_chave')
  const client = await open()
  await store(client, 1, 2, 'canonicalEmail')
  await client.query(
    `insert into enderecos ("addressDigest", "unsubscribedAt") select sha256(convert_to("canonicalEmail", 'UTF8')), now() from peticoes`,
  )
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const target = { dataDir: join(folder, 'dados'), env: { DATABASE_URL: await cluster.createDatabase('com_chave') } }
  const file = join(folder, 'antiga.mobiliza')

  const results = [await run('backup', { env: { DATABASE_URL: url } }, file), await run('restore', target, file)]

  expect(results.map(({ code }) => code)).toEqual([0, 0])
  const [key = Buffer.of()] = readAddressKeys(target)
  const restored = new pg.Client(target.env.DATABASE_URL)
  await restored.connect()
  onTestFinished(() => restored.end())
  bindAddressKey(restored, key)
  const { rows } = await restored.query(
    `select count(*)::int as n from peticoes join enderecos on "addressHmac" = ${mailboxHmacSql('"canonicalEmail"')}`,
  )
  expect(rows).toEqual([{ n: 2 }])
})
