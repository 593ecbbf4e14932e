// Addresses that get no e-mail: how they get on the list, what is stored about them, and how they leave it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Suppression } from '#contract/admin/suppressions.ts'
import { addressHmac } from '#server/core/address-key.ts'
import { createLog } from '#server/core/log.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { addressHmacSql } from '#server/db/mailbox.ts'
import { suppressAddress } from '#server/outbox/email/email-quota.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { aContact, aLeader, anInfluencer, aSignature } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { type SmtpServer, startSmtp } from '#tests/helpers/smtp.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let smtp: SmtpServer
let database: Database
let admin: Administrator
beforeAll(async () => {
  smtp = await startSmtp()
  const env = { SMTP_URL: smtp.url, EMAIL_FROM: 'nao-responda@example.org', EMAILS_PER_MINUTE: '60000' }
  site = await openTestSite({ ...env, PUBLIC_URL: 'https://mobiliza.example.org' }, { deliveries: { pollMs: 50 } })
  database = openDatabase(site.engine, createLog('silent'), site.addressKey)
})
afterAll(async () => {
  await database.close()
  await site.close()
  await smtp.stop()
})
beforeEach(async () => {
  await site.empty()
  smtp.faults.recipient = () => undefined
  smtp.received.length = 0
  admin = await enter(site)
})

const path = '/api/admin/enderecos-suspensos'
interface List {
  enderecos: Suppression[]
  total: number
  antes: string | null
  depois: string | null
}
const list = (query = '') => admin.ask<List>('GET', `${path}${query}`)
const waitForList = async (n: number) => {
  await expect.poll(async () => (await list()).total, { timeout: 10_000 }).toBe(n)
  return (await list()).enderecos
}
const refuseRecipients = () => {
  smtp.faults.recipient = (address) => ({ code: 550, text: `5.1.1 <${address}>: no such user` })
}

test('a rejected address is listed with the reply of the server, without addresses in the reply', async () => {
  refuseRecipients()
  const { email } = aSignature()
  await postJson(`${site.url}/api/peticoes`, aSignature({ email }))

  expect(await waitForList(1)).toEqual([
    {
      ...{ id: addressHmac(site.addressKey, email).toString('base64url'), email, tipo: 'recusa' },
      detalhe: 'O servidor de e-mail respondeu: 550 5.1.1 <…>: no such user',
      desde: expect.stringMatching(/^\d{4}-/),
    },
  ])
})

test('an address that is allowed again gets e-mails again, and the audit log names only its domain', async () => {
  refuseRecipients()
  const { email } = aSignature()
  await postJson(`${site.url}/api/peticoes`, aSignature({ email }))
  const [{ id } = { id: '' }] = await waitForList(1)
  smtp.faults.recipient = () => undefined

  expect(await admin.ask('DELETE', `${path}/${id}`)).toEqual({
    success: true,
    message: 'O endereço saiu da lista e pode receber e-mails de novo.',
  })

  expect(await list()).toMatchObject({ enderecos: [], total: 0 })
  expect(
    await site.rows('select * from enderecos where "rejectedAt" is not null or "suppressedEmail" is not null'),
  ).toEqual([])
  expect(await site.rows(`select action, target from admin_actions where action like 'Tirou%'`)).toEqual([
    { action: 'Tirou um endereço da lista de suspensos', target: '…@example.org' },
  ])
  await postJson(`${site.url}/api/campaigns/brasilquerpaz/signatures`, aSignature({ email }))
  await expect.poll(() => smtp.received.map(({ to }) => to), { timeout: 10_000 }).toEqual([[email]])
  const again = await admin.call('DELETE', `${path}/${id}`)
  expect([again.status, await again.json()]).toMatchObject([404, { message: 'Este endereço não está na lista' }])
})

test('a complaint replaces the reason of an earlier rejection, and not the other way round', async () => {
  const { email } = aSignature()
  await postJson(`${site.url}/api/peticoes`, aSignature({ email }))
  const steps = [
    [{ kind: 'devolucao', detail: 'a' }, 'devolucao'],
    [{ kind: 'recusa', detail: 'b' }, 'devolucao'],
    [{ kind: 'reclamacao', detail: null }, 'reclamacao'],
    [{ kind: 'recusa', detail: 'c' }, 'reclamacao'],
  ] as const
  let since: string | undefined
  for (const [suppression, expected] of steps) {
    await suppressAddress(database, email, suppression)
    const [stored] = (await list()).enderecos
    expect(stored).toMatchObject({ email, tipo: expected })
    since ??= stored?.desde
    expect(stored?.desde).toBe(since)
  }
})

describe('the address itself', () => {
  const kinds = [
    { tipo: 'assinaturas', table: 'peticoes', path: '/api/peticoes', valid: aSignature },
    { tipo: 'voluntarios', table: 'contacts', path: '/api/contacts', valid: aContact },
    { tipo: 'influenciadores', table: 'influenciadores', path: '/api/lideres', valid: anInfluencer },
    { tipo: 'lideres', table: 'lideres', path: '/api/formulario-lideres', valid: aLeader },
  ] as const

  test.each(kinds)('of $tipo is deleted when the person is erased; no e-mail is sent to it later', async (kind) => {
    refuseRecipients()
    const person = kind.valid()
    await postJson(site.url + kind.path, person)
    await waitForList(1)
    const [row] = await site.rows<{ id: string }>(`select id from ${kind.table}`)
    await admin.ask('DELETE', `/api/admin/pessoas/${kind.tipo}/${row?.id}`)

    // The reply of the server may name the mailbox.
    expect((await list()).enderecos).toMatchObject([{ email: null, tipo: 'recusa', detalhe: null }])
    // A complaint that is reported later does not bring them back.
    await suppressAddress(database, person.email, { kind: 'reclamacao', detail: 'User maria.silva unknown' })
    expect((await list()).enderecos).toMatchObject([{ email: null, tipo: 'reclamacao', detalhe: null }])
    expect((await list(`?busca=${encodeURIComponent(person.email.toUpperCase())}`)).total).toBe(1)
    smtp.faults.recipient = () => undefined
    await postJson(site.url + kind.path, person)
    await expect.poll(() => site.rows(`select kind from outbox where kind = 'email'`), { timeout: 10_000 }).toEqual([])
    expect(smtp.received).toEqual([])
  })

  test('of a person without a record is never stored', async () => {
    await suppressAddress(database, 'ninguem@example.org', { kind: 'reclamacao', detail: null })
    expect((await list()).enderecos).toMatchObject([{ email: null, tipo: 'reclamacao' }])
  })
})

describe('the list', () => {
  /** Addresses that were suppressed in the same microsecond, and others. */
  async function fill(n: number) {
    await site.rows(
      `insert into enderecos ("addressHmac", "rejectedAt", "suppressionKind", "suppressedEmail")
      select ${addressHmacSql('email')}, timestamptz '2026-11-01 12:00:00.123456-03' + (n / 10) * interval '1 microsecond',
        'devolucao', email
      from (select n, 'pessoa.' || lpad(n::text, 3, '0') || case when n % 2 = 0 then '@exemplo.com' else '@example.org' end as email
        from generate_series(1, $1::int) n) given`,
      [n],
    )
    await site.rows(`insert into enderecos ("addressHmac", "unsubscribedAt") values ('\\x01', now())`)
  }

  test('has pages in both directions, without gaps or repetitions', async () => {
    await fill(60)
    const seen: string[] = []
    let page = await list()
    expect(page.total).toBe(60)
    for (;;) {
      seen.push(...page.enderecos.map(({ id }) => id))
      if (!page.antes) break
      page = await list(`?antes=${page.antes}`)
    }
    expect([seen.length, new Set(seen).size]).toEqual([60, 60])
    const back: string[] = []
    for (;;) {
      back.unshift(...page.enderecos.map(({ id }) => id))
      if (!page.depois) break
      page = await list(`?depois=${page.depois}`)
    }
    expect(back).toEqual(seen)
  })

  test('is searched by any part of an address, without wildcards', async () => {
    await fill(30)
    expect((await list('?busca=EXEMPLO.com')).total).toBe(15)
    expect((await list('?busca=pessoa.007')).enderecos.map(({ email }) => email)).toEqual(['pessoa.007@example.org'])
    for (const text of ['%25', '_', 'ninguem', '%27%20or%20true']) expect((await list(`?busca=${text}`)).total).toBe(0)
  })

  test.each(['antes=x', 'antes=1', 'depois=99999999999999999999.aa', 'antes=1.2.3-%00', `busca=${'a'.repeat(300)}`])(
    'refuses or survives ?%s',
    async (query) => {
      const answer = await admin.call('GET', `${path}?${query}`)
      expect([200, 400]).toContain(answer.status)
    },
  )

  test('is only for administrators', async () => {
    expect((await fetch(site.url + path)).status).toBe(401)
    expect((await fetch(`${site.url}${path}/${'a'.repeat(43)}`, { method: 'DELETE' })).status).toBe(401)
  })
})
