// Rate limits, with a trusted proxy and without one.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SystemStatus } from '#contract/admin/system.ts'
import { enter } from '#tests/helpers/administrator.ts'
import { aSignature } from '#tests/helpers/factories.ts'
import { asJson, postForm, postJson } from '#tests/helpers/forms.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

type Headers = Record<string, string>

async function sign(site: TestSite, headers: Headers, signature: object = aSignature()) {
  const { app } = site
  return app.inject({
    method: 'POST',
    url: '/api/peticoes',
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(signature),
  })
}

async function countStatuses(requests: number, make: (n: number) => Promise<{ statusCode: number }>, atOnce = 250) {
  const seen: Record<number, number> = {}
  for (let done = 0; done < requests; done += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, requests - done) }, (_, n) => make(done + n))
    for (const { statusCode } of await Promise.all(some)) seen[statusCode] = (seen[statusCode] ?? 0) + 1
  }
  return seen
}

describe('behind a trusted proxy', () => {
  let site: TestSite
  beforeAll(async () => {
    site = await openTestSite({ TRUST_PROXY: '127.0.0.1' })
  })
  afterAll(() => site.close())

  test('a thousand people behind one address of a carrier can all sign', async () => {
    const seen = await countStatuses(1_000, () => sign(site, { 'x-forwarded-for': '203.0.113.7' }))
    expect(seen).toEqual({ 201: 1_000 })
  })

  test('an attacker with 50 requests a second does not limit a thousand people behind the same IPv4 address', {
    tags: ['slow'],
    timeout: 120_000,
  }, async () => {
    const carrier = { 'x-forwarded-for': '198.51.100.9' }
    const attacks = [
      () => postJson(`${site.url}/api/peticoes`, { nome: '' }, carrier),
      () => fetch(`${site.url}/api/peticoes`, { method: 'POST', headers: { ...carrier, ...asJson }, body: '{' }),
      () => postJson(`${site.url}/api/peticoes`, aSignature(), { ...carrier, 'sec-fetch-site': 'cross-site' }),
      () => postForm(`${site.url}/peticao`, { nome: '' }, { headers: carrier }),
      () => postJson(`${site.url}/api/admin/setup/x`, {}, carrier),
      () => postJson(`${site.url}/api/webhook/botconversa`, {}, carrier),
    ]
    const attack = async (n: number) => {
      const answer = await attacks[n % attacks.length]?.()
      await answer?.arrayBuffer()
      return { statusCode: answer?.status ?? 0 }
    }
    // Half a minute of the attack at once, to keep the test short.
    const before = await countStatuses(1_500, attack, 25)
    expect(Object.keys(before)).toEqual(['400', '401', '403', '404', '422'])
    let attacking = true
    const attacker = (async () => {
      for (let n = 0; attacking; n += 1) await Promise.all([attack(n), delay(20)])
    })()

    const person = async () => {
      const answer = await postJson(`${site.url}/api/peticoes`, aSignature(), carrier)
      await answer.arrayBuffer()
      return { statusCode: answer.status }
    }
    const people = await countStatuses(1_000, person, 10)
    attacking = false
    await attacker
    expect(people).toEqual({ 201: 1_000 })
  })

  test('many invalid page forms get the error without the form, and valid ones are accepted', async () => {
    const sender = { 'x-forwarded-for': '198.51.100.77' }
    const post = (fields: object) =>
      postForm(`${site.url}/peticao`, fields, { headers: sender, redirect: 'manual' }).then(async (answer) => ({
        statusCode: answer.status,
        html: await answer.text(),
      }))
    const seen = await countStatuses(300, () => post({ nome: '' }))
    expect(seen[422]).toBeGreaterThanOrEqual(200)
    expect(seen[400]).toBeGreaterThan(0)
    const answers = await Promise.all(Array.from({ length: 20 }, () => post({ nome: '' })))
    const short = answers.find(({ statusCode }) => statusCode === 400)
    expect(short?.html).toContain('Nome deve ter pelo menos 3 caracteres')
    expect(short?.html).not.toContain('<form')
    expect((await post(aSignature())).statusCode).toBe(303)
  })

  test('all addresses of an IPv6 /64 share one limit, which refuses with a message', async () => {
    const sender = (n: number) => ({ 'x-forwarded-for': `2001:db8:1:2::${n.toString(16)}` })
    const seen = await countStatuses(700, (n) => sign(site, sender(n)))
    expect(seen[201]).toBeGreaterThanOrEqual(600)
    expect(seen[429]).toBeGreaterThan(0)
    const last = await Promise.all(Array.from({ length: 50 }, (_, n) => sign(site, sender(n))))
    const stopped = last.find(({ statusCode }) => statusCode === 429)
    if (!stopped) throw new Error('no request was refused')
    expect(Number(stopped.headers['retry-after'])).toBeGreaterThan(0)
    expect(stopped.json()).toEqual({
      success: false,
      message: 'Muitos pedidos seguidos. Espere um pouco e tente de novo.',
      code: 'too-many',
    })
    expect((await sign(site, { 'x-forwarded-for': '2001:db8:1:3::1' })).statusCode).toBe(201)
    // Reading is never limited: an answer is cheaper than a refusal.
    const count = await site.app.inject({ url: '/api/peticoes/count', headers: sender(1) })
    expect(count.statusCode).toBe(200)
  })

  test('refused forms use up no tokens of their address', async () => {
    const sender = { 'x-forwarded-for': '2001:db8:1:5::1' }
    expect(await countStatuses(700, () => sign(site, sender, { nome: '' }))).toEqual({ 400: 700 })
    expect((await sign(site, sender)).statusCode).toBe(201)
  })

  test('a request refused by the limit of its address returns no token', async () => {
    const sender = { 'x-forwarded-for': '2001:db8:1:4::1' }
    await countStatuses(700, () => sign(site, sender))
    const seen = await countStatuses(400, () => sign(site, sender), 10)
    // Two tokens a second return by themselves.
    expect(seen[429]).toBeGreaterThan(300)
  })

  test('a form sent as a page has the same limit, and the refusal is a page', async () => {
    const post = (fields: object) =>
      site.app.inject({
        method: 'POST',
        url: '/peticao',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': '2001:db8:9:9::1' },
        payload: new URLSearchParams(fields as Record<string, string>).toString(),
      })
    const seen = await countStatuses(600, () => post(aSignature()))
    expect(seen).toEqual({ 303: 600 })
    const last = await Promise.all(Array.from({ length: 50 }, () => post(aSignature())))
    const stopped = last.find(({ statusCode }) => statusCode === 429)
    if (!stopped) throw new Error('no request was refused')
    expect(stopped.headers['content-type']).toContain('text/html')
    expect(stopped.body).toContain('Muitos pedidos seguidos')
  })
})

test('one mailbox has a limit across many addresses behind a trusted proxy', async () => {
  // A site of its own: mailboxes may share a bucket, and the tests above have used thousands.
  const site = await openTestSite({ TRUST_PROXY: '127.0.0.1' })
  try {
    const signature = aSignature()
    const send = (n: number) => sign(site, { 'x-forwarded-for': `203.0.113.${n % 250}` }, signature)
    // In small groups: a burst that the database cannot handle in time gets 503s, which take tokens too.
    const seen = await countStatuses(400, send, 50)
    expect(Object.keys(seen)).toEqual(['201', '429'])
    expect(seen[201]).toBeGreaterThanOrEqual(300)
  } finally {
    await site.close()
  }
})

test('without a trusted proxy X-Forwarded-For is ignored', async () => {
  const site = await openTestSite()
  try {
    // If the header were trusted, the limit of one /64 would refuse some of these.
    const spoofed = { 'x-forwarded-for': '2001:db8:1:2::1' }
    const seen = await countStatuses(700, () => sign(site, spoofed))
    expect(seen).toEqual({ 201: 700 })
    // The status page asks to set TRUST_PROXY, once and not for each signature.
    const { failures } = await (await enter(site)).ask<SystemStatus>('GET', '/api/admin/sistema')
    expect(failures).toMatchObject([{ message: 'X-Forwarded-For of an unknown proxy ignored', times: 1 }])
  } finally {
    await site.close()
  }
})
