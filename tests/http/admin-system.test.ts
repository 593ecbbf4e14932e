// The status page: database, queue, e-mails, spreadsheet and recent failures.
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { listDeadDeliveries, listLocalEmails, readLocalEmail, SystemStatus } from '#contract/admin/system.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { aSignature } from '#tests/helpers/factories.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let admin: Administrator
beforeAll(async () => {
  site = await openTestSite()
  admin = await enter(site)
})
afterAll(() => site.close())
beforeEach(() => site.empty())

const status = () => admin.ask<SystemStatus>('GET', '/api/admin/sistema')
const deadDeliveries = async () =>
  (await admin.ask<ReplyOf<typeof listDeadDeliveries>>('GET', '/api/admin/sistema/entregas')).deliveries
const auditLog = () => site.rows('select action, target from admin_actions order by id')
const addDead = (n: number, reason: string) =>
  site.rows(
    `insert into outbox (kind, payload, attempts, dead, reason) select 'email', to_jsonb(n), 8, true, $2 from generate_series(1, $1::int) n`,
    [n, reason],
  )

test('shows the database, migrations, disk and node', async () => {
  const read = await status()

  const [applied] = await site.rows<{ n: number }>('select count(*)::int as n from drizzle.__drizzle_migrations')
  const [engine] = await site.rows<{ version: string }>(`select current_setting('server_version') as version`)
  expect(read.database).toMatchObject({ engine: inject('source').kind, version: engine?.version })
  expect(read.database?.sizeBytes).toBeGreaterThan(1_000_000)
  expect(read.migrations).toEqual({ applied: applied?.n, pending: 0, unknown: 0 })
  expect(read.disk?.totalBytes).toBeGreaterThan(read.disk?.freeBytes ?? Number.POSITIVE_INFINITY)
  expect(read.node).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+/),
    runtime: `Node ${process.versions.node}`,
  })
  expect(Date.parse(read.node.since)).toBeLessThan(Date.now())
  expect(read.email).toBe('local')
  expect(read.leaderForm).toBe('open')
  expect(read.sampleSettings).toContainEqual({ key: 'contato.whatsapp', value: '5500000000000' })
  expect(read.spreadsheet).toMatchObject({ kind: 'csv', waiting: 0, failing: false })
})

test('shows migrations that another version has applied', async () => {
  await site.rows(`insert into drizzle.__drizzle_migrations (hash, created_at) values ('de-outra-versao', 1)`)
  await site.rows(`update drizzle.__drizzle_migrations set hash = 'x' || hash where id = 2`)
  try {
    expect((await status()).migrations).toMatchObject({ pending: 1, unknown: 2 })
  } finally {
    await site.rows(`delete from drizzle.__drizzle_migrations where hash = 'de-outra-versao'`)
    await site.rows(`update drizzle.__drizzle_migrations set hash = substr(hash, 2) where id = 2`)
  }
})

describe('deliveries', () => {
  test('news that are paused or wait for the other e-mails are not late', async () => {
    await site.rows(
      `insert into outbox (kind, payload, "dueAt", "createdAt")
      select 'novidade', '{}', due, now() - interval '3 days' from unnest(array[now(), 'infinity']) due`,
    )
    expect((await status()).deliveries).toMatchObject({ waiting: 2, oldestSeconds: 0 })
  })

  test('that wait and that are dead are counted, with their reasons', async () => {
    await site.rows(
      `insert into outbox (kind, payload, "dueAt") select 'email', '1', now() - interval '90 seconds' from generate_series(1, 3)`,
    )
    await addDead(2, 'O servidor de e-mail recusou o endereço.')

    const { deliveries } = await status()

    expect(deliveries).toMatchObject({
      ...{ waiting: 3, parked: 2 },
      reasons: [{ reason: 'O servidor de e-mail recusou o endereço.', deliveries: 2 }],
    })
    expect(deliveries?.oldestSeconds).toBeGreaterThanOrEqual(90)
    expect(await deadDeliveries()).toMatchObject(
      Array(2).fill({ tipo: 'email', reason: 'O servidor de e-mail recusou o endereço.', tries: 8 }),
    )
  })

  test('show an unreachable mail server, but not a single failed e-mail or a failure of yesterday', async () => {
    const addWaiting = (tries: number, since: string) =>
      site.rows(`insert into outbox (kind, payload, attempts, reason, "dueAt")
        values ('email', '1', ${tries}, 'Ninguém atende.', now() - interval '${since}')`)
    await addWaiting(0, '1 day')
    await addWaiting(2, '1 second')
    expect((await status()).deliveries?.emailsAway).toBeNull()
    await addWaiting(0, '1 second')
    expect((await status()).deliveries?.emailsAway).toEqual({ at: expect.any(String), reason: 'Ninguém atende.' })
  })

  test('are sent again one by one, which is in the audit log', async () => {
    await addDead(2, 'Sem resposta.')
    const [first] = await deadDeliveries()

    await admin.ask('POST', `/api/admin/sistema/entregas/${first?.id}/reenviar`)

    expect(await deadDeliveries()).toHaveLength(1)
    expect((await status()).deliveries).toMatchObject({ waiting: 1, parked: 1 })
    const again = await admin.call('POST', `/api/admin/sistema/entregas/${first?.id}/reenviar`)
    expect([again.status, await again.json()]).toEqual([
      ...[404, { success: false, message: 'Esta entrega não está mais parada', code: 'not-found' }],
    ])
    expect(await auditLog()).toEqual([{ action: 'Reenviou entrega parada', target: `nº ${first?.id}` }])
  })

  test('are sent again all together, which is in the audit log', async () => {
    await addDead(3, 'Sem resposta.')
    expect(await admin.ask('POST', '/api/admin/sistema/entregas/reenviar')).toMatchObject({
      message: '3 entregas voltaram para a fila.',
    })
    expect(await deadDeliveries()).toEqual([])
    expect(await auditLog()).toEqual([{ action: 'Reenviou todas as entregas paradas', target: '3 entregas' }])
  })

  test.each(['abc', '-1', '9'.repeat(30)])('that do not exist cannot be sent again (%s)', async (id) => {
    expect((await admin.call('POST', `/api/admin/sistema/entregas/${id}/reenviar`)).status).toBe(404)
  })
})

test('without an SMTP server e-mails can be read here, and opening one is in the audit log', async () => {
  const delivering = await openTestSite({}, { deliveries: { pollMs: 50 } })
  try {
    const caller = await enter(delivering)
    const list = async () =>
      (await caller.ask<ReplyOf<typeof listLocalEmails>>('GET', '/api/admin/sistema/emails')).emails
    expect(await list()).toEqual([])
    const signature = aSignature()
    await fetch(`${delivering.url}/api/peticoes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(signature),
    })
    await expect.poll(async () => (await list()).length, { timeout: 15_000 }).toBe(1)
    const [summary] = await list()
    expect(summary?.to).toContain(signature.email)

    const { email } = await caller.ask<ReplyOf<typeof readLocalEmail>>(
      'GET',
      `/api/admin/sistema/emails/${summary?.id}`,
    )

    expect(email).toMatchObject({ ...summary })
    expect(email.text.length).toBeGreaterThan(50)
    expect(email.html).toMatch(/<html/i)
    const [entry] = await delivering.rows(`select action, target from admin_actions order by id desc limit 1`)
    expect(entry).toEqual({ action: 'Abriu e-mail da caixa local', target: summary?.id })
  } finally {
    await delivering.close()
  }
})

test.each(['nao-existe', '%2e%2e%2fsegredos', 'a/b'])('an unknown e-mail is a 404 (%s)', async (id) => {
  const answer = await admin.call('GET', `/api/admin/sistema/emails/${id}`)
  expect(answer.status).toBe(404)
})

test('a failure is listed without personal data, and a part that cannot be read does not hide the others', async () => {
  const signature = aSignature()
  await site.rows('alter table planilhas rename to planilhas_fora')
  try {
    const read = await status()
    expect(read.spreadsheet).toBeNull()
    expect(read.deliveries).not.toBeNull()
  } finally {
    await site.rows('alter table planilhas_fora rename to planilhas')
  }
  const { failures } = await status()
  expect(failures).toMatchObject([{ message: 'status not read', error: expect.stringContaining('42P01'), times: 1 }])
  expect(JSON.stringify(failures)).not.toContain(signature.email)
})
