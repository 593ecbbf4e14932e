// Several nodes on one PostgreSQL: concurrent starts, a pooler, kills in turn, and a locked row of a campaign.
import { rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { StoredSite } from '#contract/admin/site.ts'
import { migrationsFolder } from '#server/db/migrate.ts'
import { auditData, noViolations } from '#tests/chaos/audit.ts'
import { figuresOf, reportResult } from '#tests/chaos/report.ts'
import { fill } from '#tests/chaos/sites.ts'
import { size } from '#tests/chaos/size.ts'
import { enter } from '#tests/helpers/administrator.ts'
import { callWebhook, webhookSecret } from '#tests/helpers/chatbot.ts'
import { copyMigrationsBefore } from '#tests/helpers/early-migrations.ts'
import { aChatbotCall } from '#tests/helpers/factories.ts'
import { startPgbouncer } from '#tests/helpers/pgbouncer.ts'
import { type Cluster, createCluster } from '#tests/helpers/postgres.ts'
import { seededRandom } from '#tests/helpers/random.ts'
import { type ServerProcess, startServer, temporaryFolder } from '#tests/helpers/server-process.ts'
import { everyForm, startSigners } from '#tests/helpers/signers.ts'

let cluster: Cluster
beforeAll(async () => {
  cluster = await createCluster()
})
afterAll(() => cluster.remove())

async function startTwo(env: Record<string, string>): Promise<ServerProcess[]> {
  const settings = { env, dataDir: cluster.folder }
  const starting = [startServer(settings), startServer(settings)]
  onTestFinished(async () => {
    for (const start of await Promise.allSettled(starting)) if (start.status === 'fulfilled') await start.value.kill()
  })
  return Promise.all(starting)
}

/** Signs through all nodes concurrently and merges their acknowledgements. */
async function signThrough(nodes: ServerProcess[], each: number) {
  const groups = nodes.map(({ url }) => startSigners({ url, people: 16, total: each, otherwise: 'leave' }))
  await Promise.all(groups.map((signers) => signers.gone()))
  return {
    acknowledged: new Map(groups.flatMap(({ acknowledged }) => [...acknowledged])),
    outcomes: groups.map((signers) => signers.outcomes()),
  }
}

async function shownCount({ url }: ServerProcess): Promise<number> {
  const answer = await fetch(`${url}/api/peticoes/count`)
  return ((await answer.json()) as { count: number }).count
}

test('two nodes that start together on an empty database set it up once and show the same count', async () => {
  const env = { DATABASE_URL: await cluster.createDatabase('vazio'), ADMIN_PASSWORD: 'senha-de-teste-123' }

  const nodes = await startTwo(env)
  const { acknowledged, outcomes } = await signThrough(nodes, 100)

  expect(outcomes).toEqual([{ '201': 100 }, { '201': 100 }])
  await expect.poll(() => Promise.all(nodes.map(shownCount)), { timeout: 2_000 }).toEqual([18445, 18445])
  expect(await auditData({ env }, acknowledged)).toEqual(noViolations)
  const client = new pg.Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  const { rows } = await client.query(`
    select (select count(*)::int from admin_users) as administrators, (select count(*)::int from campaigns) as campaigns,
      (select count(*)::int from drizzle.__drizzle_migrations) as migrations,
      (select count(distinct hash)::int from drizzle.__drizzle_migrations) as different`)
  await client.end()
  const migrations = readMigrationFiles({ migrationsFolder }).length
  expect(rows).toEqual([{ administrators: 1, campaigns: 5, migrations, different: migrations }])
})

test('site settings that are saved at one node are in effect at the other within two seconds', async () => {
  const env = { DATABASE_URL: await cluster.createDatabase('configuracoes'), ADMIN_PASSWORD: 'senha-de-teste-123' }
  const [first, second] = (await startTwo(env)) as [ServerProcess, ServerProcess]
  const titleAt = async ({ url }: ServerProcess) => /<title>(.*?)<\/title>/.exec(await (await fetch(url)).text())?.[1]
  await titleAt(second)

  const admin = await enter(first, { username: 'admin', password: env.ADMIN_PASSWORD })
  const elapsedMs: number[] = []
  for (let save = 1; save <= 5; save++) {
    const { site } = await admin.ask<{ site: StoredSite }>('GET', '/api/admin/site')
    await admin.ask('PUT', '/api/admin/site', { ...site.settings, movimento: `Nome ${save}`, versao: site.versao })
    const savedAt = performance.now()
    const title = `Nome ${save}: faça parte do movimento`
    await expect.poll(() => titleAt(second)).toBe(title)
    elapsedMs.push(Math.round(performance.now() - savedAt))
    await expect.poll(() => titleAt(first)).toBe(title)
  }
  reportResult({ test: 'site settings at the other node', notes: `ms until in effect: ${elapsedMs.join(', ')}` })
  // A busy machine may delay one of them.
  expect(elapsedMs.toSorted((one, other) => one - other)[2]).toBeLessThanOrEqual(2_000)
})

test('a call of the chatbot that reaches both nodes at the same time is stored once', async () => {
  const env = { DATABASE_URL: await cluster.createDatabase('robo'), BOTCONVERSA_WEBHOOK_TOKEN: webhookSecret }
  await fill({ env })
  const nodes = await startTwo(env)
  const calls = Array.from({ length: 20 }, (_, n) => (n % 2 ? aChatbotCall({ event_id: 'evento' }) : aChatbotCall()))

  const answers = await Promise.all(
    calls.flatMap((call) => nodes.flatMap((node) => [callWebhook(node, call), callWebhook(node, call)])),
  )

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const client = new pg.Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  const { rows } = await client.query(
    'select (select count(*)::int from bot_conversas) as people, (select count(*)::int from bot_mensagens) as calls',
  )
  await client.end()
  expect(rows).toEqual([{ people: 20, calls: 20 }])
})

test('a migration that finds the signatures locked does not block signing, and completes when the lock ends', async () => {
  const url = await cluster.createDatabase('em_uso')
  const open = async () => {
    const client = new pg.Client(url)
    await client.connect()
    onTestFinished(() => client.end())
    return client
  }
  const [reader, signer] = await Promise.all([open(), open()])
  // The version before a migration that adds a column to the signatures, while a long transaction uses the table.
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await migrate(drizzle(signer), { migrationsFolder: copyMigrationsBefore('0007_manifestos', folder) })
  await reader.query('begin')
  await reader.query('lock table peticoes in row exclusive mode')

  const migrated = fill({ env: { DATABASE_URL: url } })
  const waits = async () =>
    (await cluster.query(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = 'em_uso'`)).length
  await expect.poll(waits, { timeout: 10_000, interval: 20 }).toBe(1)
  // This must succeed while the migration waits.
  await signer.query('update peticoes set cidade = cidade')
  await reader.query('commit')
  await migrated

  const { rows } = await signer.query(
    `select true as there from pg_attribute where attrelid = 'peticoes'::regclass and attname = 'versaoManifesto'`,
  )
  expect(rows).toEqual([{ there: true }])
})

test('two nodes behind pgbouncer in transaction mode take five hundred signatures without an error', async () => {
  const direct = await cluster.createDatabase('atras_do_pooler')
  await fill({ env: { DATABASE_URL: direct } })
  const pooler = await startPgbouncer(cluster)
  onTestFinished(() => pooler.stop())

  const nodes = await startTwo({ DATABASE_URL: pooler.url('atras_do_pooler'), DATABASE_DIRECT_URL: direct })
  const { acknowledged, outcomes } = await signThrough(nodes, 250)

  expect(outcomes).toEqual([{ '201': 250 }, { '201': 250 }])
  expect(await auditData({ env: { DATABASE_URL: direct } }, acknowledged)).toEqual(noViolations)
  for (const node of nodes) expect(node.output()).not.toContain('"level"')
})

test('two nodes killed in turn, with clients that retry at the other one, keep data and counts exact', async () => {
  const random = seededRandom('kill -9 of two nodes')
  const env = { DATABASE_URL: await cluster.createDatabase('dois_nos'), ADMIN_PASSWORD: 'senha-de-teste-123' }
  await fill({ env })
  const nodes = await startTwo(env)
  onTestFinished(async () => void (await Promise.all(nodes.map((node) => node.kill()))))
  const url = nodes.map((node) => node.url)
  const signers = startSigners({ url, paths: everyForm, otherwise: 'retry' })

  for (let kills = 0; kills < size.nodeKills; kills++) {
    await signers.more(size.signedBetween)
    await delay(random.between(0, 500))
    const [node] = nodes.splice(0, 1)
    await node?.kill()
    nodes.push(await startServer({ env, dataDir: cluster.folder, port: node?.port ?? 0 }))
  }
  await signers.more(size.signedBetween)
  await signers.stop()

  const audit = await auditData({ env }, signers.acknowledged)
  reportResult({ test: 'kill -9 of two nodes in turn', serverKills: size.nodeKills, ...figuresOf(signers), audit })
  expect(audit).toEqual(noViolations)
  expect(signers.retried()).toBeGreaterThan(0)
  const client = new pg.Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  const { rows } = await client.query(`select count(*)::int as n from peticoes where campanha = 'juros'`)
  await client.end()
  const expectedCount = 18245 + rows[0]?.n
  await expect
    .poll(() => Promise.all(nodes.map(shownCount)), { timeout: 3_000 })
    .toEqual([expectedCount, expectedCount])
})

test('a locked row of a campaign does not delay its signatures', async () => {
  const env = { DATABASE_URL: await cluster.createDatabase('linha_presa'), ADMIN_PASSWORD: 'senha-de-teste-123' }
  await fill({ env })
  const node = await startServer({ env, dataDir: cluster.folder })
  onTestFinished(() => node.kill())
  const editor = new pg.Client({ connectionString: env.DATABASE_URL })
  await editor.connect()
  const signers = startSigners({ url: node.url, people: 8, otherwise: 'leave' })
  await signers.more(100)

  await editor.query('begin')
  await editor.query(`update campaigns set titulo = titulo || ' (em revisão)' where slug = 'juros'`)
  const before = signers.acknowledged.size
  await delay(size.lockMs)
  const meanwhile = signers.acknowledged.size - before
  await editor.query('rollback')
  await editor.end()
  await signers.stop()

  const audit = await auditData({ env }, signers.acknowledged)
  const notes = `held for ${size.lockMs} ms: ${meanwhile} signed meanwhile, the slowest in ${signers.slowestMs()} ms`
  reportResult({ test: 'campaign row held', ...figuresOf(signers), audit, notes })
  expect(audit).toEqual(noViolations)
  expect(Object.keys(signers.outcomes())).toEqual(['201'])
  expect(meanwhile).toBeGreaterThan(10)
  expect(signers.slowestMs()).toBeLessThan(size.lockMs)
})
