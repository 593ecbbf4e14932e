// Limits as people and programs meet them: through a proxy that is trusted, and without one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aSignature } from '#tests/helpers/factories.ts'
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

async function outcomes(requests: number, make: (n: number) => Promise<{ statusCode: number }>) {
  const seen: Record<number, number> = {}
  for (let done = 0; done < requests; done += 250) {
    const some = Array.from({ length: Math.min(250, requests - done) }, (_, n) => make(done + n))
    for (const { statusCode } of await Promise.all(some)) seen[statusCode] = (seen[statusCode] ?? 0) + 1
  }
  return seen
}

describe('behind a proxy that is trusted', () => {
  let site: TestSite
  beforeAll(async () => {
    site = await openTestSite({ TRUST_PROXY: '127.0.0.1' })
  })
  afterAll(() => site.close())

  test('a thousand people behind one address of a carrier all sign', async () => {
    const seen = await outcomes(1_000, () => sign(site, { 'x-forwarded-for': '203.0.113.7' }))
    expect(seen).toEqual({ 201: 1_000 })
  })

  test('a program that sends rubbish is stopped with a sentence, and its neighbours are not', async () => {
    const sender = { 'x-forwarded-for': '198.51.100.9' }
    const rubbish = await outcomes(1_500, () => sign(site, sender, { nome: '' }))
    expect(rubbish[400]).toBeGreaterThan(900)
    expect(rubbish[429]).toBeGreaterThan(0)

    const last = await Promise.all(Array.from({ length: 100 }, () => sign(site, sender, { nome: '' })))
    const stopped = last.find(({ statusCode }) => statusCode === 429)
    if (!stopped) throw new Error('nobody was stopped')
    expect(Number(stopped.headers['retry-after'])).toBeGreaterThan(0)
    expect(stopped.json()).toEqual({
      success: false,
      message: 'Muitos pedidos seguidos. Espere um pouco e tente de novo.',
    })
    expect((await sign(site, { 'x-forwarded-for': '198.51.100.10' })).statusCode).toBe(201)
    // Reading is never limited: it is cheaper than refusing.
    const count = await site.app.inject({ url: '/api/peticoes/count', headers: sender })
    expect(count.statusCode).toBe(200)
  })

  test('whoever sends the form as a page meets the same limit, as a page', async () => {
    const post = (headers: Headers) =>
      site.app.inject({
        method: 'POST',
        url: '/peticao',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        payload: 'nome=',
      })
    const sender = { 'x-forwarded-for': '2001:db8:9:9::1' }
    expect(await outcomes(150, () => post(sender))).toEqual({ 422: 150 })
    const last = await Promise.all(Array.from({ length: 10 }, () => post(sender)))
    const stopped = last.find(({ statusCode }) => statusCode === 429)
    if (!stopped) throw new Error('nobody was stopped')
    expect(stopped.headers['content-type']).toContain('text/html')
    expect(stopped.body).toContain('Muitos pedidos seguidos')
  })

  test('one /64 of IPv6 is one sender, however many addresses it shows', async () => {
    const seen = await outcomes(700, (n) => sign(site, { 'x-forwarded-for': `2001:db8:1:2::${n.toString(16)}` }))
    expect(seen[201]).toBeGreaterThanOrEqual(600)
    expect(seen[429]).toBeGreaterThan(0)
    expect((await sign(site, { 'x-forwarded-for': '2001:db8:1:3::1' })).statusCode).toBe(201)
  })

  test('one mailbox is not hammered from many addresses', async () => {
    const signature = aSignature()
    const seen = await outcomes(400, (n) => sign(site, { 'x-forwarded-for': `203.0.113.${n % 250}` }, signature))
    expect(seen[201]).toBeGreaterThanOrEqual(300)
    expect(seen[429]).toBeGreaterThan(0)
  })
})

test('without a trusted proxy nobody chooses their own address', async () => {
  const site = await openTestSite()
  try {
    const spoofed = { 'x-forwarded-for': '198.51.100.9' }
    const seen = await outcomes(1_500, () => sign(site, spoofed, { nome: '' }))
    expect(seen).toEqual({ 400: 1_500 })
  } finally {
    await site.close()
  }
})
