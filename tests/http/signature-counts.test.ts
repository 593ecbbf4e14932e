// Signature counts are appended while people sign and folded later; their sum is always exact.
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createLog } from '#server/core/log.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { foldCounts, startCountFolding, totalCounts } from '#server/db/signature-counts.ts'
import { createCampaignCounts } from '#server/features/petitions/campaign-counts.ts'
import { removeSignature } from '#server/features/petitions/removal.ts'
import { avoidBoundary } from '#tests/helpers/avoid-boundary.ts'
import { signatureCountsSql } from '#tests/helpers/count-rows.ts'
import { startSigners } from '#tests/helpers/signers.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let database: Database
beforeAll(async () => {
  site = await openTestSite()
  database = openDatabase(site.engine, createLog('silent'), site.addressKey)
})
afterAll(async () => {
  await database.close()
  await site.close()
})
beforeEach(() => site.empty())

const add = (campaign: string, state: string, { hoursAgo = 0, n = 1 } = {}) =>
  site.rows(
    `insert into signature_count_changes values ($1, $2, date_trunc('hour', now()) - $3 * interval '1 hour', $4)`,
    [campaign, state, hoursAgo, n],
  )
const hours = () => site.rows('select campanha, estado, n from peticoes_por_hora order by 1, 2, hora')
const totals = () => site.rows('select campanha, n from signature_totals order by 1')
const changes = () => site.rows('select n from signature_count_changes')

test('folding adds each change once to its hour and to its campaign', async () => {
  await add('juros', 'SP', { n: 5 })
  await add('juros', 'SP', { n: 2 })
  await add('juros', 'BA', { hoursAgo: 50 })
  await add('brasilquerpaz', 'BA')
  await foldCounts(database)
  await add('juros', 'SP', { n: -1 })
  await foldCounts(database)
  await foldCounts(database)

  expect(await changes()).toEqual([])
  expect(await hours()).toEqual([
    { campanha: 'brasilquerpaz', estado: 'BA', n: 1 },
    { campanha: 'juros', estado: 'BA', n: 1 },
    { campanha: 'juros', estado: 'SP', n: 6 },
  ])
  expect(await totals()).toEqual([
    { campanha: 'brasilquerpaz', n: 1 },
    { campanha: 'juros', n: 7 },
  ])
  const counts = createCampaignCounts(database, createLog('silent'), 1_000)
  expect(await counts.stored('juros')).toMatchObject({ signatures: 7, counted: 7 })
})

test('the count of a day grows with the signatures, and is not shown on the next day', async () => {
  let now = new Date()
  await add('juros', 'SP', { n: 3 })
  await add('juros', 'SP', { hoursAgo: 30, n: 20 })
  // The hours of the day are read only once during the test.
  const counts = createCampaignCounts(database, createLog('silent'), 60_000, () => now)
  await expect.poll(() => counts.today('juros'), { timeout: 10_000 }).toBe(3)
  await add('juros', 'SP', { n: 2 })
  counts.expire()
  await expect.poll(() => counts.today('juros'), { timeout: 10_000 }).toBe(5)
  now = new Date(now.getTime() + 24 * 60 * 60_000)
  expect(await counts.today('juros')).toBeUndefined()
})

test('the count of a day does not grow with imported signatures, also between two reads of its hours', {
  timeout: 90_000,
}, async () => {
  await avoidBoundary('hour')
  const stored = async (n: number) => {
    await add('juros', 'SP', { n })
    await site.rows(
      `insert into imports (kind, status, "fileName", author, campanha, accepted) values ('assinaturas', 'running', 'l.csv', 'a', 'juros', $1)`,
      [n],
    )
  }
  await add('juros', 'SP', { n: 3 })
  await stored(10)
  const counts = createCampaignCounts(database, createLog('silent'), 60_000)
  await expect.poll(() => counts.today('juros'), { timeout: 10_000 }).toBe(3)
  await stored(40)
  await add('juros', 'SP', { n: 2 })
  counts.expire()
  await expect.poll(async () => (await counts.of('juros')).signatures, { timeout: 10_000 }).toBe(55)
  expect(await counts.today('juros')).toBe(5)
})

/** Campaigns whose count of confirmed signatures differs from the signatures. */
const wrongConfirmed = () =>
  site.rows(`
    with stored as (
      select campanha, count("confirmadoEm")::int as rows from peticoes group by 1)
    select campanha, rows, confirmed from stored full join ${totalCounts} counted using (campanha)
    where coalesce(rows, 0) <> coalesce(confirmed, 0)`)

/** Random numbers that are the same in every run. */
function seededRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

test('after any history of confirmations, removals, renames and folds the confirmed counts match the signatures', async () => {
  const random = seededRandom(53)
  const signers = startSigners({ url: site.url, people: 4, otherwise: 'retry' })
  await signers.more(60)
  await signers.stop()
  const ids = (await site.rows<{ id: string }>('select id from peticoes order by id')).map(({ id }) => id)
  const anyId = () => ids[random(ids.length)]
  const confirm = `update peticoes set "confirmadoEm" = coalesce("confirmadoEm", now()) where id = $1`
  const actions: (() => Promise<unknown>)[] = [
    () => site.rows(confirm, [anyId()]),
    () => site.rows(confirm, [anyId()]),
    () => Promise.all([1, 2].map(() => site.rows(confirm, [ids[0]]))),
    () => removeSignature(database, anyId() ?? ''),
    () => site.rows('update peticoes set campanha = $2 where id = $1', [anyId(), `campanha-${random(3)}`]),
    () => site.rows('update peticoes set "notifiedAt" = now() where id = $1', [anyId()]),
    () => foldCounts(database),
  ]
  for (let step = 0; step < 150; step++) {
    await actions[random(actions.length)]?.()
    expect(await wrongConfirmed(), `after step ${step}`).toEqual([])
  }
  expect(await site.rows('select id from peticoes where "confirmadoEm" is not null')).not.toEqual([])
  await foldCounts(database)
  expect(await wrongConfirmed()).toEqual([])
})

test('a confirmation changes no hour', async () => {
  const signers = startSigners({ url: site.url, people: 1, otherwise: 'retry' })
  await signers.more(1)
  await signers.stop()
  await site.rows(`update peticoes set "createdAt" = now() - interval '3 days'`)
  await foldCounts(database)
  const counter = () => site.rows(`select n from contadores where name = 'horas-fechadas-mudadas'`)
  const before = [await hours(), await counter()]
  await site.rows('update peticoes set "confirmadoEm" = now()')
  await foldCounts(database)
  expect([await hours(), await counter()]).toEqual(before)
  expect(await wrongConfirmed()).toEqual([])
})

test('while people sign and remove signatures and two nodes fold, counts and totals always match the signatures', async () => {
  const signers = startSigners({ url: site.url, people: 6, otherwise: 'retry' })
  let isOver = false
  const folding = [1, 2].map(async () => {
    while (!isOver) await foldCounts(database)
  })
  try {
    for (let round = 0; round < 25; round++) {
      await signers.more(10)
      const [row] = await site.rows<{ id: string }>('select id from peticoes order by id limit 1')
      await removeSignature(database, row?.id ?? '')
      const wrongCounts = await site.rows(`
        with stored as (
          select campanha, estado, date_trunc('hour', "createdAt") as hora, count(*)::int as rows from peticoes group by 1, 2, 3)
        select * from stored full join ${signatureCountsSql} using (campanha, estado, hora) where rows is distinct from n`)
      expect(wrongCounts).toEqual([])
      const [sums] = await site.rows<{ stored: number; total: number }>(`
        select (select count(*)::int from peticoes) as stored,
          (select coalesce(sum(n), 0)::int from signature_totals) + (select coalesce(sum(n), 0)::int from signature_count_changes) as total`)
      expect(sums?.total).toBe(sums?.stored)
    }
  } finally {
    isOver = true
    await Promise.all([...folding, signers.stop()])
  }
  expect(signers.acknowledged.size).toBeGreaterThan(250)
})

test('after a start the totals include changes of an earlier process and of a server of the previous version', async () => {
  await site.rows(`insert into peticoes_por_hora values ('juros', 'SP', date_trunc('hour', now()), 40)`)
  await site.rows(`insert into signature_totals values ('juros', 3)`)
  await add('juros', 'SP', { n: 2 })

  const folding = startCountFolding(database, createLog('silent'), 50)
  onTestFinished(() => folding.close())

  await expect.poll(changes, { timeout: 10_000 }).toEqual([])
  expect(await totals()).toEqual([{ campanha: 'juros', n: 42 }])
  // Confirmations and removals append changes while nobody signs.
  await add('juros', 'SP', { n: -1 })
  await expect.poll(totals, { timeout: 10_000 }).toEqual([{ campanha: 'juros', n: 41 }])
})
