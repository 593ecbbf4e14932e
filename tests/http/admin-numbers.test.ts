// The numbers of a campaign add up to the public count in every breakdown.
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { listCityNumbers, listNumbers, Numbers } from '#contract/admin/numbers.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { createLog } from '#server/core/log.ts'
import { openDatabase } from '#server/db/database.ts'
import { foldCounts } from '#server/db/signature-counts.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { signatureCountsSql } from '#tests/helpers/count-rows.ts'
import { aSignature, type SignatureFields } from '#tests/helpers/factories.ts'
import { startSigners } from '#tests/helpers/signers.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

/** Each test has a campaign of its own, so that cached counts of other tests do not matter. */
const slugs = Array.from({ length: 30 }, (_, number) => `contada-${number}`)
const [summedSlug = '', busySlug = '', ...otherSlugs] = slugs

let site: TestSite
let admin: Administrator
let slug = ''
beforeAll(async () => {
  site = await openTestSite({}, { periods: { refreshMs: 100, breakdownPauseMs: 200 } })
  admin = await enter(site)
  await site.rows(
    `insert into campaigns (slug, titulo, "manifestoHtml", "baseCount", "sheetTab")
    select slug, 'Contada', '<p>Oi</p>', 1000, slug from unnest($1::text[]) slug`,
    [slugs],
  )
  // Written before the first count is read, because complete hours do not change afterwards.
  slug = summedSlug
  await addPast(2_000, 'BA', 7)
  await addPast(47, 'SP', 20)
  await addPast(48, 'SP', 3)
  slug = busySlug
  await addPast(200, 'PE', 50)
})
afterAll(() => site.close())
beforeEach(() => {
  slug = otherSlugs.shift() ?? slug
})

type Cities = ReplyOf<typeof listCityNumbers>

const publicCount = async () =>
  ((await (await fetch(`${site.url}/api/campaigns/${slug}/count`)).json()) as { count: number }).count
const numbers = () => admin.ask<Numbers>('GET', `/api/admin/numeros/${slug}`)
const cities = (query = '') => admin.ask<Cities>('GET', `/api/admin/numeros/${slug}/cidades${query}`)
const sum = (parts: { signatures: number }[]) => parts.reduce((total, { signatures }) => total + signatures, 0)

async function sign(fields: Partial<SignatureFields> = {}): Promise<void> {
  const answer = await fetch(`${site.url}/api/campaigns/${slug}/signatures`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(aSignature(fields)),
  })
  expect(answer.status).toBe(201)
}

/** Adds `n` signatures of a state to the count of a past hour. */
const addPast = (hoursAgo: number, estado: string, n: number) =>
  site.rows(
    `insert into signature_count_changes (campanha, estado, hora, n) values ($1, $2, date_trunc('hour', now()) - $3 * interval '1 hour', $4)`,
    [slug, estado, hoursAgo, n],
  )

function expectSums({ signatures, byState, byDay, byHour, earlier }: Numbers): void {
  expect(sum(byState)).toBe(signatures)
  expect(sum(byDay)).toBe(signatures)
  expect(sum(byHour) + earlier).toBe(signatures)
}

test('hours, days and states each add up to the public count, and the base count is separate', async () => {
  slug = summedSlug
  await sign({ estado: 'AC' })
  await sign({ estado: 'RJ' })

  const read = await numbers()

  expect(read.signatures).toBe(32)
  await expect.poll(publicCount, { timeout: 5_000 }).toBe(32)
  expectSums(read)
  expect(read.campaign).toEqual({
    slug,
    titulo: 'Contada',
    isActive: true,
    baseCount: 1000,
    countingMode: 'signed',
    publicCount: 1000 + read.signatures,
  })
  expect(read.byState).toHaveLength(27)
  expect(Object.fromEntries(read.byState.map((part) => [part.state, part.signatures]))).toMatchObject({
    ...{ BA: 7, SP: 23, AC: 1, RJ: 1, MG: 0 },
  })
  expect(read.byHour).toHaveLength(48)
  expect(read.byHour[0]?.signatures).toBe(20)
  expect(read.byHour.at(-1)?.signatures).toBe(2)
  expect(read.earlier).toBe(10)
  expect(read.byDay.length).toBeGreaterThanOrEqual(84)
})

test('a day ends at midnight in Brasília', async () => {
  await site.rows(
    `insert into signature_count_changes (campanha, estado, hora, n) values
      ($1, 'SP', '2026-01-11 02:00+00', 3), ($1, 'SP', '2026-01-11 03:00+00', 5)`,
    [slug],
  )
  const { byDay } = await numbers()
  expect(byDay.slice(0, 3)).toEqual([
    { day: '2026-01-10', signatures: 3 },
    { day: '2026-01-11', signatures: 5 },
    { day: '2026-01-12', signatures: 0 },
  ])
})

test('while people sign, every answer adds up and lies between the counts before and after it', async () => {
  slug = busySlug
  const signers = startSigners({
    ...{ url: site.url, people: 4, paths: [`/api/campaigns/${slug}/signatures`], otherwise: 'retry' as const },
  })
  try {
    for (let round = 0; round < 8; round++) {
      await signers.more(10)
      const before = await publicCount()
      const read = await numbers()
      expectSums(read)
      expect(read.signatures).toBeGreaterThanOrEqual(before)
      const found = await cities()
      expect(sum(found.cities) + found.uncounted).toBeGreaterThanOrEqual(read.signatures)
      await expect.poll(publicCount, { timeout: 5_000 }).toBeGreaterThanOrEqual(read.signatures)
    }
  } finally {
    await signers.stop()
  }

  const read = await numbers()
  expectSums(read)
  expect(read.signatures).toBe(50 + signers.acknowledged.size)
  await expect.poll(publicCount, { timeout: 5_000 }).toBe(read.signatures)
})

test('a signature taken back is removed from every breakdown and from the public count, also in a complete hour', async () => {
  slug = summedSlug
  const [before, publicBefore] = [await numbers(), await publicCount()]
  expect(publicBefore).toBe(before.signatures)
  await site.rows(
    `insert into signature_count_changes (campanha, estado, hora, n)
    select campanha, estado, hora, -1 from ${signatureCountsSql} where campanha = $1 and estado = 'BA'`,
    [slug],
  )

  const read = await numbers()

  expect(read.signatures).toBe(before.signatures - 1)
  expectSums(read)
  await expect.poll(publicCount, { timeout: 5_000 }).toBe(read.signatures)

  const database = openDatabase(site.engine, createLog('silent'), site.addressKey)
  onTestFinished(() => database.close())
  await foldCounts(database)
  expect((await numbers()).signatures).toBe(read.signatures)
  expectSums(await numbers())
})

test('the list has every campaign, also inactive ones, with its signatures in complete hours and in the current hour', async () => {
  await addPast(0, 'SP', 5)
  await addPast(1, 'SP', 7)
  await addPast(24, 'SP', 11)
  await addPast(168, 'SP', 13)
  await addPast(169, 'SP', 17)
  await site.rows('update campaigns set "isActive" = false where slug = $1', [slug])
  await expect
    .poll(
      async () => {
        const { campaigns } = await admin.ask<ReplyOf<typeof listNumbers>>('GET', '/api/admin/numeros')
        return campaigns.find((campaign) => campaign.slug === slug)
      },
      { timeout: 10_000, interval: 100 },
    )
    .toEqual({
      ...{
        slug,
        titulo: 'Contada',
        isActive: false,
        baseCount: 1000,
        countingMode: 'signed',
        publicCount: 1053,
        signatures: 53,
      },
      pace: { open: 5, hour: 7, day: 18, week: 31 },
    })
  expect((await numbers()).pace).toEqual({ open: 5, hour: 7, day: 18, week: 31 })
})

describe('the next milestone', () => {
  test('is projected from the last 24 complete hours', async () => {
    await addPast(300, 'SP', 100)
    await addPast(3, 'SP', 48)
    await addPast(0, 'SP', 500)
    const { milestone, at } = await numbers()
    expect(milestone).toMatchObject({ next: 2_000, missing: 352, projected: { perHour: 2, hours: 24 } })
    const ahead = Date.parse(milestone.projected?.at ?? '') - Date.parse(at)
    expect(ahead / 3_600_000).toBeCloseTo(352 / 2, 3)
  })

  test('of a campaign younger than a day is projected from its complete hours', async () => {
    await addPast(4, 'SP', 30)
    await addPast(1, 'SP', 10)
    expect((await numbers()).milestone.projected).toMatchObject({ perHour: 10, hours: 4 })
  })

  test.each([
    ['there are no signatures', []],
    ['there are no signatures of the last day', [[30, 10]]],
    ['the first hour is not complete', [[0, 10]]],
  ] as [string, [number, number][]][])('is not projected when %s', async (_, signed) => {
    for (const [hoursAgo, n] of signed) await addPast(hoursAgo, 'SP', n)
    expect((await numbers()).milestone).toMatchObject({ next: 2_000, projected: null })
  })
})

describe('the breakdown by city', () => {
  const waitForCount = async (expected: number) => {
    await expect
      .poll(async () => (await cities()).counted?.signatures, { timeout: 25_000, interval: 100 })
      .toBe(expected)
    return cities()
  }

  test('combines spellings of a city, and adds up to the count with the signatures not counted yet', async () => {
    for (const cidade of ['São Paulo', 'sao paulo', 'SÃO  PAULO', 'Cidade Inventada', 'cidade-inventada'])
      await sign({ cidade, estado: 'SP' })
    await sign({ cidade: 'São Paulo', estado: 'BA' })
    await site.rows(
      `update peticoes set "confirmadoEm" = now() where campanha = $1 and cidade in ('São Paulo', 'sao paulo') and estado = 'SP'`,
      [slug],
    )
    await addPast(100, 'SP', 9)

    const found = await waitForCount(6)

    expect(found.cities).toEqual([
      { city: 'São Paulo', state: 'SP', signatures: 3, confirmed: 2 },
      { city: expect.stringMatching(/inventada/i), state: 'SP', signatures: 2, confirmed: 0 },
      { city: 'São Paulo', state: 'BA', signatures: 1, confirmed: 0 },
    ])
    expect(found).toMatchObject({ total: 3, uncounted: 9, counted: { signatures: 6, confirmed: 2 } })
    expect(sum(found.cities) + found.uncounted).toBe((await numbers()).signatures)
    // A new count may end between the two requests.
    await expect
      .poll(async () => ({ cities: (await cities()).counted, numbers: (await numbers()).counted }))
      .toSatisfy((both) => isDeepStrictEqual(both.cities, both.numbers) && both.cities !== null)

    expect((await cities('?busca=paulo')).total).toBe(2)
    expect((await cities('?busca=S%C3%A3o+pau&estado=BA')).cities).toHaveLength(1)
    expect((await cities('?busca=aulo')).total).toBe(0)
    expect((await cities('?busca=&estado=&pagina=2')).cities).toEqual([])
  })

  const insertInto = `insert into peticoes
    (id, "requestId", campanha, nome, email, "canonicalEmail", whatsapp, cidade, estado, "versaoConsentimento")`

  test('shows existing cities among any number of invented names', async () => {
    await site.rows(
      `${insertInto}
      select lpad(to_hex(n), 32, '0')::uuid, gen_random_uuid(), $1, 'Fulano', e, e, '0', 'Lugar ' || n, 'MG', '1'
      from generate_series(1, 15000) n, lateral (select n || $1 || '@example.org' as e) email`,
      [slug],
    )
    await sign({ cidade: 'Ouro Preto', estado: 'MG' })
    const { total } = await waitForCount(15_001)
    expect(total).toBeLessThan(15_000)
    expect((await cities('?busca=ouro')).cities).toMatchObject([{ city: 'Ouro Preto', signatures: 1 }])
    expect((await cities()).cities[0]).toMatchObject({ city: 'Outras', state: null })
  })

  test('has all cities in pages, the largest first', async () => {
    await site.rows(
      `${insertInto}
      select gen_random_uuid(), gen_random_uuid(), $1, 'Fulano', e, e, '0', 'Lugar ' || n, 'MG', '1'
      from generate_series(1, 30) n, generate_series(1, n) again, lateral (select n || '-' || again || $1 || '@example.org' as e) email`,
      [slug],
    )
    const found = await waitForCount(465)
    const second = await cities('?pagina=2')
    expect(found.cities).toHaveLength(25)
    expect(second.cities).toHaveLength(5)
    expect(found.total).toBe(30)
    expect(found.cities[0]).toMatchObject({ city: 'Lugar 30', signatures: 30 })
    expect(sum(found.cities) + sum(second.cities)).toBe(465)
    expect(found.uncounted).toBe(-465)
  })
})

test.each([
  ['?pagina=0', 'Página inválida'],
  ['?pagina=abc', 'Página inválida'],
  ['?pagina=1.5', 'Página inválida'],
  ['?estado=XX', 'Estado inválido'],
  [`?busca=${'a'.repeat(121)}`, 'Busca inválida: escreva o nome de uma cidade'],
  ['?busca=a&busca=b', 'Busca inválida: escreva o nome de uma cidade'],
])('a wrong filter is refused with a message (%s)', async (query, message) => {
  const answer = await admin.call('GET', `/api/admin/numeros/${slug}/cidades${query}`)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ success: false, message })
})

test.each(['nao-existe', 'NAO EXISTE', '..'])('the numbers of an unknown campaign are a 404 (%s)', async (name) => {
  const answer = await admin.call('GET', `/api/admin/numeros/${encodeURIComponent(name)}/cidades`)
  expect(answer.status).toBe(404)
})
