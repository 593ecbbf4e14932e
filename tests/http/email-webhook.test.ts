// Bounces and complaints of an e-mail provider: signatures, formats, and what they change.
import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Suppression } from '#contract/admin/suppressions.ts'
import { addressHmac } from '#server/core/address-key.ts'
import { enter } from '#tests/helpers/administrator.ts'
import { aSignature } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

const key = Buffer.from('uma chave de trinta e dois bytes!')
const secret = `whsec_${key.toString('base64')}`
let site: TestSite
beforeAll(async () => {
  site = await openTestSite({ EMAIL_WEBHOOK_SECRET: secret })
})
afterAll(() => site.close())
beforeEach(() => site.empty())

const path = '/api/webhook/emails'
const seconds = (offset = 0) => String(Math.floor(Date.now() / 1000) + offset)

interface Signing {
  prefix?: string
  at?: string
  key?: Buffer | string
  id?: string
}
/** The headers of Standard Webhooks. */
function signed(
  body: string,
  { prefix = 'webhook', at = seconds(), key: used = key, id = `msg_${randomUUID()}` }: Signing = {},
) {
  const signature = createHmac('sha256', used).update(`${id}.${at}.${body}`).digest('base64')
  return { [`${prefix}-id`]: id, [`${prefix}-timestamp`]: at, [`${prefix}-signature`]: `v1,${signature}` }
}
const send = (body: string, headers: Record<string, string> = {}, url = site.url) =>
  fetch(url + path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
const report = (event: unknown, signing?: Signing) => {
  const body = JSON.stringify(event)
  return send(body, signed(body, signing))
}
function mailgun(data: unknown, { at = seconds(), token = randomUUID(), used = secret } = {}) {
  const signature = createHmac('sha256', used)
    .update(at + token)
    .digest('hex')
  return JSON.stringify({ signature: { timestamp: at, token, signature }, 'event-data': data })
}
const bounce = (email: string) => ({ tipo: 'devolucao', email })

async function suppressed(): Promise<[string | null, string | null, string | null][]> {
  const admin = await enter(site)
  const { enderecos } = await admin.ask<{ enderecos: Suppression[] }>('GET', '/api/admin/enderecos-suspensos')
  return enderecos.map(({ email, tipo, detalhe }) => [email, tipo, detalhe])
}
/** A person with a signature, so that the address is stored. */
async function aPerson() {
  const signature = aSignature({ aceitaNovidades: true })
  await postJson(`${site.url}/api/peticoes`, signature)
  return signature
}

describe('a request', () => {
  test.each(['webhook', 'svix'])('with the %s headers is accepted, whatever its content type', async (prefix) => {
    const { email } = await aPerson()
    const body = JSON.stringify(bounce(email))
    const answer = await send(body, { ...signed(body, { prefix }), 'content-type': 'text/plain' })
    expect([answer.status, await answer.json()]).toEqual([200, { success: true, message: 'Recebido.' }])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await suppressed()).toEqual([[email, 'devolucao', null]])
  })

  test('with one right signature among several is accepted', async () => {
    const body = JSON.stringify(bounce('a@example.org'))
    const headers = signed(body)
    const list = `v1,${Buffer.from('outra').toString('base64')} v1a,x ${headers['webhook-signature']}`
    expect((await send(body, { ...headers, 'webhook-signature': list })).status).toBe(200)
  })

  const body = JSON.stringify(bounce('a@example.org'))
  test.each([
    ['without a signature', {}],
    ['signed with another key', signed(body, { key: 'outra chave de trinta e dois bytes' })],
    ['whose body was changed', signed(`${body} `)],
    ['that is older than five minutes', signed(body, { at: seconds(-301) })],
    ['from the future', signed(body, { at: seconds(600) })],
    ['without a time', signed(body, { at: 'agora' })],
    ['with an empty time', signed(body, { at: '' })],
    ['with an empty list of signatures', { ...signed(body), 'webhook-signature': '' }],
    [
      'with a signature of another version',
      { ...signed(body), 'webhook-signature': signed(body)['webhook-signature']?.replace('v1', 'v2') ?? '' },
    ],
    ['that has the secret as a token', { 'x-webhook-token': secret, authorization: `Bearer ${secret}` }],
  ])('%s is refused and changes nothing', async (_, headers) => {
    const answer = await send(body, headers)
    expect([answer.status, await answer.json()]).toEqual([
      401,
      { success: false, code: 'unauthenticated', message: 'A assinatura do pedido não confere.' },
    ])
    expect(await site.rows('select * from enderecos')).toEqual([])
  })

  test.each([
    ['no JSON', '{"tipo":', 'O corpo do pedido não é um JSON válido.'],
    ['nothing', '', 'O corpo do pedido não é um JSON válido.'],
    ['a text', '"devolucao"', 'O corpo do pedido não é um JSON válido.'],
    ['null', 'null', 'O corpo do pedido não é um JSON válido.'],
    ['a list of texts', '["a@example.org"]', 'O corpo do pedido não é um JSON válido.'],
    ['no address', '{"tipo":"devolucao"}', 'Informe o e-mail em cada item.'],
    ['no real address', '{"tipo":"reclamacao","email":"nada"}', 'Informe o e-mail em cada item.'],
    ['a null character', '{"tipo":"reclamacao","email":"a\\u0000@b"}', 'Informe o e-mail em cada item.'],
  ])('with %s is a 400, if it is signed', async (_, text, message) => {
    const answer = await send(text, signed(text))
    expect([answer.status, await answer.json()]).toEqual([400, { success: false, code: 'invalid', message }])
    expect((await send(text)).status).toBe(401)
  })

  test('that is too large is a 413', async () => {
    const text = JSON.stringify({ tipo: 'devolucao', email: 'a'.repeat(70_000) })
    const answer = await send(text, signed(text))
    expect([answer.status, await answer.json()]).toMatchObject([413, { success: false }])
  })

  test('with a wrong signature is limited by address, and right ones are still accepted', async () => {
    const inject = (headers: Record<string, string>) =>
      site.app.inject({ method: 'POST', url: path, remoteAddress: '203.0.113.77', payload: body, headers })
    const seen = new Set<number>()
    for (let times = 0; times < 1_200; times++) seen.add((await inject({})).statusCode)
    expect(seen).toEqual(new Set([401, 429]))
    expect((await inject({ ...signed(body), 'content-type': 'application/json' })).statusCode).toBe(200)
  })
})

describe('without a secret', () => {
  test('every request is refused, also a signed one', async () => {
    const other = await openTestSite()
    const body = JSON.stringify(bounce('a@example.org'))
    for (const used of [key, '', 'undefined'])
      expect((await send(body, signed(body, { key: used }), other.url)).status).toBe(401)
    expect((await send(mailgun({}, { used: '' }), {}, other.url)).status).toBe(401)
    await other.close()
  })

  test('a secret that is no base64 signs as it is', async () => {
    const plain = 'um segredo escrito à mão'
    const other = await openTestSite({ EMAIL_WEBHOOK_SECRET: plain })
    const body = JSON.stringify(bounce('a@example.org'))
    expect((await send(body, signed(body, { key: plain }), other.url)).status).toBe(200)
    expect((await send(body, signed(body, { key: Buffer.from(plain, 'base64') }), other.url)).status).toBe(401)
    await other.close()
  })
})

describe('an event of', () => {
  const resend = (type: string, email: string, more: object = {}) => ({
    type,
    created_at: '2026-11-19T12:00:00.000Z',
    data: { email_id: randomUUID(), from: 'Mobiliza <nao-responda@example.org>', to: [email], subject: 'Oi', ...more },
  })

  test('Resend: a permanent bounce and a complaint suppress the address, without addresses in the reason', async () => {
    const [one, two] = [await aPerson(), await aPerson()]
    const detail = { bounce: { type: 'Permanent', subType: 'General', message: `550 <${one.email}> does not exist` } }
    expect((await report(resend('email.bounced', one.email, detail), { prefix: 'svix' })).status).toBe(200)
    expect((await report(resend('email.complained', two.email), { prefix: 'svix' })).status).toBe(200)
    expect((await suppressed()).sort()).toEqual(
      [
        [one.email, 'devolucao', '550 <…> does not exist'],
        [two.email, 'reclamacao', null],
      ].sort(),
    )
  })

  test('Mailgun: a permanent failure and a complaint suppress the address', async () => {
    const [one, two] = [await aPerson(), await aPerson()]
    const failure = {
      ...{ event: 'failed', severity: 'permanent', recipient: one.email, reason: 'bounce' },
      'delivery-status': { code: 550, message: '', description: 'No such mailbox' },
    }
    expect((await send(mailgun(failure))).status).toBe(200)
    expect((await send(mailgun({ event: 'complained', recipient: two.email }))).status).toBe(200)
    expect((await suppressed()).sort()).toEqual(
      [
        [one.email, 'devolucao', 'No such mailbox'],
        [two.email, 'reclamacao', null],
      ].sort(),
    )
  })

  test('Mailgun is refused with a wrong or old signature, and a token is accepted once', async () => {
    const data = (email: string) => ({ event: 'complained', recipient: email })
    const [one, two] = [await aPerson(), await aPerson()]
    expect((await send(mailgun(data(one.email), { used: 'outra chave' }))).status).toBe(401)
    const nineHours = 9 * 60 * 60
    expect((await send(mailgun(data(one.email), { at: seconds(-nineHours - 1) }))).status).toBe(401)
    expect((await send(mailgun(data(one.email), { at: seconds(600) }))).status).toBe(401)
    expect(await suppressed()).toEqual([])

    const same = { at: seconds(), token: randomUUID() }
    for (const email of [one.email, one.email, two.email])
      expect((await send(mailgun(data(email), same))).status).toBe(200)
    expect(await suppressed()).toEqual([[one.email, 'reclamacao', null]])
  })

  test('Mailgun is accepted after eight hours of attempts, and its token is still accepted once', async () => {
    const [one, two] = [await aPerson(), await aPerson()]
    const first = { at: seconds(-8 * 60 * 60), token: randomUUID() }
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    expect((await send(mailgun({ event: 'complained', recipient: one.email }, first))).status).toBe(200)

    // A signature that was new when its token was used is accepted for nine hours more.
    const late = { at: seconds(), token: randomUUID() }
    expect((await send(mailgun({ event: 'opened', recipient: one.email }, late))).status).toBe(200)
    vi.setSystemTime(Date.now() + 8 * 60 * 60_000)
    expect((await send(mailgun({}))).status).toBe(200)
    expect((await send(mailgun({ event: 'complained', recipient: two.email }, late))).status).toBe(200)
    vi.useRealTimers()
    expect(await suppressed()).toEqual([[one.email, 'reclamacao', null]])
  })

  test('our own format may be a list, in any spelling of the addresses', async () => {
    const [one, two] = [await aPerson(), await aPerson()]
    await report([
      { ...bounce(one.email.toUpperCase()), detalhe: `caixa de ${one.email} cheia` },
      { tipo: 'reclamacao', email: `Fulana <${two.email}>` },
    ])
    expect((await suppressed()).sort()).toEqual(
      [
        [one.email, 'devolucao', 'caixa de … cheia'],
        [two.email, 'reclamacao', null],
      ].sort(),
    )
  })

  test.each([
    ['a temporary bounce', () => resend('email.bounced', 'a@example.org', { bounce: { type: 'Transient' } })],
    ['a delivery', () => resend('email.delivered', 'a@example.org')],
    ['several recipients', () => resend('email.bounced', 'a@example.org', { to: ['a@example.org', 'b@example.org'] })],
    ['no recipient', () => resend('email.bounced', 'a@example.org', { to: null })],
    ['an unknown kind', () => ({ tipo: 'abertura', email: 'a@example.org' })],
    ['nothing known', () => ({ a: 1 })],
    ['an empty list', () => []],
    [
      'a temporary failure of Mailgun',
      () => ({ 'event-data': { event: 'failed', severity: 'temporary', recipient: 'a@example.org' } }),
    ],
    ['a strange Mailgun event', () => ({ 'event-data': 7 })],
  ])('%s is answered with success and ignored', async (_, event) => {
    const answer = await report(event())
    expect(answer.status).toBe(200)
    expect(await site.rows('select * from enderecos')).toEqual([])
  })
})

test('a complaint stops the news of the mailbox, a bounce does not; reports may be repeated', async () => {
  const [complained, bounced] = [await aPerson(), await aPerson()]
  for (let times = 0; times < 3; times++) {
    await Promise.all([report({ tipo: 'reclamacao', email: complained.email }), report(bounce(bounced.email))])
  }
  const state = (email: string) =>
    site.rows(
      'select "unsubscribedAt" is not null as left, "doNotContactAt" is not null as silent, "rejectedAt" is not null as suppressed from enderecos where "addressHmac" = $1',
      [addressHmac(site.addressKey, email)],
    )
  expect(await state(complained.email)).toEqual([{ left: true, silent: false, suppressed: true }])
  expect(await state(bounced.email)).toEqual([{ left: false, silent: false, suppressed: true }])
})

test('a complaint about an address with a tag stops the news of its mailbox', async () => {
  const { email } = await aPerson()
  const [local, domain] = email.split('@')
  await report({ tipo: 'reclamacao', email: `${local}+x@${domain}` })
  expect(
    await site.rows(
      'select "unsubscribedAt" is not null as left, "rejectedAt" is not null as suppressed from enderecos where "addressHmac" = $1',
      [addressHmac(site.addressKey, email)],
    ),
  ).toEqual([{ left: true, suppressed: false }])
})
