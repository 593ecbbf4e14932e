// Signatures by origin, campaign and day in the admin area.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { listOriginDays, OriginNumbers } from '#contract/admin/numbers.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { avoidBoundary } from '#tests/helpers/avoid-boundary.ts'
import { aSignature } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let admin: Administrator
beforeAll(async () => {
  site = await openTestSite({}, { periods: { refreshMs: 100, breakdownPauseMs: 100 } })
  admin = await enter(site)
})
afterAll(() => site.close())
beforeEach(async () => {
  await avoidBoundary('day')
  await site.empty()
})

const origins = (query = '') => admin.ask<OriginNumbers>('GET', `/api/admin/origens${query}`)
const days = (query = '') => admin.ask<ReplyOf<typeof listOriginDays>>('GET', `/api/admin/origens/dias${query}`)

async function waitForCount(signatures: number, query = ''): Promise<OriginNumbers> {
  await expect
    .poll(async () => (await origins(query)).counted?.signatures, { timeout: 20_000, interval: 50 })
    .toBe(signatures)
  return origins(query)
}

const sign = (path: string, origem?: string) => postJson(site.url + path, { ...aSignature(), origem })

test('signatures appear by origin, the largest first, for one campaign and for all', async () => {
  for (const origem of ['radio', 'radio', 'radio', 'feira', undefined, undefined]) await sign('/api/peticoes', origem)
  await sign('/api/campaigns/fim-escala-6x1/signatures', 'feira')

  const all = await waitForCount(7)
  const one = await origins('?campanha=juros')

  expect(all).toMatchObject({
    ...{ signatures: 7, total: 3 },
    origins: [
      { origin: 'radio', signatures: 3 },
      { origin: '(direto)', signatures: 2 },
      { origin: 'feira', signatures: 2 },
    ],
  })
  expect(all.byDay).toEqual([{ day: expect.stringMatching(/^20\d\d-\d\d-\d\d$/), signatures: 7 }])
  expect(one).toMatchObject({ uncounted: 0, signatures: 6, total: 3, counted: { signatures: 6 } })
  expect((await origins('?campanha=juros&origem=radio')).byDay).toMatchObject([{ signatures: 3 }])
  expect((await origins('?origem=(direto)')).byDay).toMatchObject([{ signatures: 2 }])
  expect(await origins('?busca=EIR')).toMatchObject({ total: 1, origins: [{ origin: 'feira' }] })
  expect((await origins('?limite=2&pagina=2')).origins).toEqual([{ origin: 'feira', signatures: 2 }])
  expect(await days('?campanha=fim-escala-6x1')).toMatchObject({
    ...{ total: 1, counted: { signatures: 1 } },
    days: [{ campaign: 'fim-escala-6x1', origin: 'feira', signatures: 1 }],
  })
})

test('a period includes its first and last day in Brasília time', async () => {
  await site.rows(`insert into peticoes
    (id, "requestId", campanha, nome, email, "canonicalEmail", whatsapp, cidade, estado, "versaoConsentimento", origem, "createdAt")
    select gen_random_uuid(), gen_random_uuid(), 'juros', 'Fulano', at, at, '0', 'Cidade Inventada', 'SP', '1', 'radio', at::timestamptz
    from unnest(array['2026-01-10 02:59+00', '2026-01-10 03:00+00', '2026-01-12 02:59+00', '2026-01-12 03:00+00']) at`)
  await waitForCount(4)

  expect(await origins('?desde=2026-01-10&ate=2026-01-11')).toMatchObject({
    ...{ signatures: 2, counted: { signatures: 4 } },
    byDay: [
      { day: '2026-01-10', signatures: 1 },
      { day: '2026-01-11', signatures: 1 },
    ],
  })
  expect((await days('?desde=2026-01-12')).days).toEqual([
    { day: '2026-01-12', campaign: 'juros', origin: 'radio', signatures: 1 },
  ])
  expect(await origins('?desde=2025-01-01&ate=2025-01-02')).toMatchObject({ signatures: 0, origins: [], byDay: [] })
})

test('any number of invented origins is combined in one row, and the sum stays exact', async () => {
  await site.rows(`insert into peticoes
    (id, "requestId", campanha, nome, email, "canonicalEmail", whatsapp, cidade, estado, "versaoConsentimento", origem)
    select gen_random_uuid(), gen_random_uuid(), 'juros', 'Fulano', e, e, '0', 'Cidade Inventada', 'SP', '1',
      case when n % 2 = 0 then 'radio' else 'inventada-' || n end
    from generate_series(1, 4000) n, lateral (select n || '@example.org' as e) email`)

  const found = await waitForCount(4_000, '?limite=1000')

  expect(found).toMatchObject({ total: 502 - 1, signatures: 4_000 })
  expect(found.origins.slice(0, 2)).toEqual([
    { origin: 'radio', signatures: 2_000 },
    { origin: '(outras)', signatures: 2_000 - 499 },
  ])
})

test.each([
  ['?desde=2026-02-31', 'Data inválida. Exemplo: 2026-11-15.'],
  ['?campanha=NAO', 'Campanha inválida'],
  ['?origem=%20', 'Origem inválida: até 60 letras sem acento, números, ponto, hífen e sublinhado'],
  ['?pagina=0', 'Página inválida'],
])('a wrong filter is refused with a message (%s)', async (query, message) => {
  for (const path of ['/api/admin/origens', '/api/admin/origens/dias']) {
    const answer = await admin.call('GET', path + query)
    expect([answer.status, await answer.json()]).toMatchObject([400, { success: false, message }])
  }
})

test('the origins of an unknown campaign are a 404', async () => {
  expect((await admin.call('GET', '/api/admin/origens?campanha=nao-existe')).status).toBe(404)
})
