// The hourly ceiling of e-mails to addresses that somebody typed: they wait in order, and everything else continues.
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Dashboard } from '#contract/admin/dashboard.ts'
import type { SystemStatus } from '#contract/admin/system.ts'
import { createLog } from '#server/core/log.ts'
import { addressHmacSql } from '#server/db/mailbox.ts'
import { emailsAtOnce } from '#server/outbox/email/send-email.ts'
import { startServer } from '#server/server-process.ts'
import { openBuild } from '#server/ssr/renderer.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { aContact, aSignature } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { type SmtpServer, startSmtp } from '#tests/helpers/smtp.ts'
import { testConfig } from '#tests/helpers/template.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

const perHour = 3
const metricsToken = 'segredo-das-metricas-123'
let smtp: SmtpServer
let site: TestSite
let admin: Administrator
let env: Record<string, string>
beforeAll(async () => {
  smtp = await startSmtp()
  env = {
    SMTP_URL: smtp.url,
    EMAIL_FROM: 'nao-responda@example.org',
    EMAILS_PER_MINUTE: '60000',
    FIRST_EMAILS_PER_HOUR: String(perHour),
    METRICS_TOKEN: metricsToken,
  }
  site = await openTestSite(env, { deliveries: { pollMs: 100 } })
  admin = await enter(site)
})
afterAll(async () => {
  await site.close()
  await smtp.stop()
})
beforeEach(async () => {
  await site.empty()
  smtp.received.length = 0
})

const recipients = () => smtp.received.map(({ to: [address = ''] }) => address)
const subjects = async () => (await smtp.parsed()).map(({ subject }) => subject)

async function sign(signature = aSignature()): Promise<string> {
  expect((await postJson(`${site.url}/api/peticoes`, signature)).status).toBe(201)
  return signature.email
}

/** One after the other, so that their order is known. */
async function signTimes(times: number): Promise<string[]> {
  const emails: string[] = []
  for (let n = 0; n < times; n++) emails.push(await sign())
  return emails
}

/** Until nothing is due or being sent. */
const settled = () =>
  expect
    .poll(
      () =>
        site.rows(
          `select kind, payload from outbox where not dead and kind not like 'planilha%' and kind <> 'lembretes'
          and ("dueAt" <= now() or "leasedBy" is not null)`,
        ),
      { timeout: 15_000 },
    )
    .toEqual([])

const status = async () => (await admin.ask<SystemStatus>('GET', '/api/admin/sistema')).deliveries

/** Lets an hour pass for the ceiling and for what waits. */
async function passHour(): Promise<void> {
  await site.rows(`update destinos set "freeAt" = "freeAt" - interval '1 hour' where name = 'primeiros-emails'`)
  await site.rows(`update outbox set "dueAt" = "dueAt" - interval '1 hour' where kind in ('email', 'emails')`)
}

test('above the ceiling first e-mails wait, none is lost, and all are sent later', async () => {
  const signers = await signTimes(8)
  const volunteer = aContact()
  expect((await postJson(`${site.url}/api/contacts`, volunteer)).status).toBe(201)
  await settled()
  expect(recipients()).toHaveLength(perHour)
  expect((await status())?.heldEmails?.waiting).toBe(9 - perHour)

  for (let sent = perHour; sent < 9; sent += perHour) {
    await passHour()
    await expect.poll(() => recipients().length, { timeout: 15_000 }).toBe(sent + perHour)
    await settled()
  }
  expect(recipients().sort()).toEqual([...signers, volunteer.email].sort())
  expect((await status())?.heldEmails).toBeNull()
  expect(await site.rows('select 1 from outbox where dead')).toEqual([])
})

test('those that came first are sent first, up to the five that are sent at once', async () => {
  const signers: string[] = []
  for (let n = 0; n < 16; n++) {
    signers.push(await sign())
    // Several signatures at once are queued in any order.
    await settled()
  }
  for (let sent = perHour; sent < 15; sent += perHour) {
    const positions = recipients().map((address) => signers.indexOf(address))
    expect(Math.max(...positions)).toBeLessThan(sent + emailsAtOnce)
    await passHour()
    await expect.poll(() => recipients().length, { timeout: 15_000 }).toBe(sent + perHour)
    await settled()
  }
})

test('a person who signs again still gets the notice with the confirmation', async () => {
  const signature = aSignature()
  await sign(signature)
  await settled()
  await signTimes(perHour + 3)
  await settled()
  expect(recipients()).toHaveLength(perHour)
  await site.rows(`update peticoes set "createdAt" = now() - interval '2 days' where email = $1`, [signature.email])

  await sign({ ...aSignature(), email: signature.email })
  await expect.poll(subjects, { timeout: 15_000 }).toContain('Você já tinha assinado')
})

test('the administrators and the operator learn of it, with what to do', async () => {
  await signTimes(perHour + 2)
  await settled()
  expect(await status()).toMatchObject({ heldEmails: { waiting: 2, until: expect.any(String), perHour } })
  const todo = async () =>
    (await admin.ask<Dashboard>('GET', '/api/admin/painel')).todos.find(({ kind }) => kind === 'emails-held')
  await expect.poll(todo, { timeout: 15_000 }).toEqual({ kind: 'emails-held', n: 2 })
  const warnings = site.logged().filter((line) => line.includes('first e-mails held back by the hourly ceiling'))
  expect(warnings).toHaveLength(1)
  expect(JSON.parse(warnings[0] ?? '{}')).toMatchObject({ perHour, level: 40 })
  const metrics = await fetch(`${site.url}/metricas`, { headers: { authorization: `Bearer ${metricsToken}` } })
  expect(await metrics.text()).toContain('mobiliza_first_emails_held 2')
})

test('an address that may get no e-mail takes nothing of the ceiling', async () => {
  const closed = aSignature()
  await site.rows(
    `insert into enderecos ("addressHmac", "doNotContactAt") values (${addressHmacSql('$1::text')}, now())`,
    [closed.email],
  )
  await sign(closed)
  await settled()
  const signers = await signTimes(perHour)
  await settled()
  expect(recipients().sort()).toEqual(signers.sort())
})

test('an e-mail that waited for those before it still gets the last place of the hour', async () => {
  const insert = `insert into destinos (name, "freeAt") values ('primeiros-emails', now())`
  // All but one place are taken, at a time after the waiting e-mail began.
  const take = `update destinos set "freeAt" = clock_timestamp() + interval '1 hour' * ${perHour - 1} / ${perHour}
    where name = 'primeiros-emails'`
  if (site.engine.kind === 'embedded') {
    await site.rows(insert)
    await site.rows(take)
    await sign()
  } else {
    const earlier = new pg.Client(site.engine.direct)
    await earlier.connect()
    try {
      await earlier.query('begin')
      await earlier.query(insert)
      await sign()
      const waiting = `select 1 as waits from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(() => site.rows(waiting), { timeout: 10_000 }).toEqual([{ waits: 1 }])
      await earlier.query(take)
      await earlier.query('commit')
    } finally {
      await earlier.end()
    }
  }
  await settled()
  expect(recipients()).toHaveLength(1)
})

test('two servers share one ceiling', async () => {
  const other = await startServer({
    config: testConfig({ ...env, DATA_DIR: site.dataDir }),
    engine: site.engine,
    log: createLog('silent'),
    renderer: await openBuild(),
    deliveries: { pollMs: 50 },
  })
  try {
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        postJson(n % 2 ? `http://127.0.0.1:${other.port}/api/peticoes` : `${site.url}/api/peticoes`, aSignature()),
      ),
    )
    await settled()
    expect(recipients()).toHaveLength(perHour)
    await passHour()
    await expect.poll(() => recipients().length, { timeout: 15_000 }).toBe(2 * perHour)
    await settled()
    expect(recipients()).toHaveLength(2 * perHour)
  } finally {
    await other.close()
  }
})
