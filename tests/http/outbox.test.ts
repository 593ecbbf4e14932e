// The delivery queue: claims, retries, dead letters, resending, and return of deliveries at shutdown.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openLocalMailbox } from '#server/adapters/local-mail.ts'
import { type BackgroundThrottle, createBackgroundThrottle } from '#server/core/background-throttle.ts'
import { createLog } from '#server/core/log.ts'
import { createMetrics } from '#server/core/metrics.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { createDeliveries, type Deliveries, type DeliveryOptions } from '#server/outbox/deliveries.ts'
import type { Delivery, DeliveryHandler } from '#server/outbox/queue/delivery.ts'
import { splitEmails } from '#server/outbox/queue/fan-out.ts'
import { parsePayload } from '#server/outbox/queue/kinds.ts'
import { createQueue, type QueueOptions } from '#server/outbox/queue/queue.ts'
import { DeliveryFailure } from '#server/outbox/queue/retry-policy.ts'
import { createSheetLease, type SheetLease } from '#server/outbox/sheet/sheet-lease.ts'
import { aContact, aLeader, anInfluencer, aSignature } from '#tests/helpers/factories.ts'
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

/** A handler that accepts every delivery, unless the test changes it. */
function aHandler(changes: Partial<DeliveryHandler> = {}): DeliveryHandler & { taken: Delivery[] } {
  const taken: Delivery[] = []
  return {
    name: 'prova',
    kinds: ['prova', 'prova-dois'],
    atOnce: 4,
    async perform(deliveries) {
      taken.push(...deliveries)
    },
    ...changes,
    taken,
  }
}

interface NodeOptions {
  nodeDatabase?: Database
  throttle?: BackgroundThrottle
}

function aNode(
  handlers: DeliveryHandler[],
  options: DeliveryOptions = {},
  { nodeDatabase = database, throttle = createBackgroundThrottle() }: NodeOptions = {},
): Deliveries {
  const deliveries = createDeliveries({
    database: nodeDatabase,
    log: createLog('silent'),
    metrics: createMetrics(),
    throttle,
    reminders: async () => true,
    handlers,
    mailbox: openLocalMailbox(''),
    options: { pollMs: 50, stopTimeoutMs: 300, ...options },
  })
  deliveries.start()
  onTestFinished(() => deliveries.stop())
  return deliveries
}

const skipAudit = async () => {}
const queue = (n: number, kind = 'prova') =>
  site.rows('insert into outbox (kind, payload) select $1, to_jsonb(n) from generate_series(1, $2::int) n', [kind, n])
const remaining = () => site.rows('select kind, payload, attempts, dead, reason, "leasedBy" from outbox order by id')
const post = (path: string, body: object) =>
  fetch(site.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('four nodes together deliver everything, and nothing twice', { tags: ['slow'] }, async () => {
  await queue(400)
  await queue(100, 'prova-dois')
  const handlers = [1, 2, 3, 4].map(() => aHandler())

  for (const handler of handlers) aNode([handler])

  await expect.poll(remaining, { timeout: 20_000 }).toEqual([])
  const taken = handlers.flatMap((handler) => handler.taken.map(({ id }) => id))
  expect(taken.length).toBe(500)
  expect(new Set(taken).size).toBe(500)
})

test('a failing delivery is retried and becomes a dead letter with its reason; administrators can resend it', async () => {
  await queue(2)
  let broken = true
  const handler = aHandler({
    async perform([delivery]) {
      if (broken && delivery?.payload === 1) throw new DeliveryFailure('again', 'O carteiro se perdeu.')
    },
  })
  const node = aNode([handler], { pauseMs: 1, maxTries: 3 })

  await expect.poll(async () => (await node.summary()).parked, { timeout: 10_000 }).toBe(1)
  expect(await node.summary()).toMatchObject({
    waiting: 0,
    parked: 1,
    reasons: [{ reason: 'O carteiro se perdeu.', deliveries: 1 }],
  })
  const [parked] = await node.parked()
  expect(parked).toMatchObject({ tipo: 'prova', reason: 'O carteiro se perdeu.', tries: 3 })

  broken = false
  expect(await node.resend(parked?.id ?? 0, skipAudit)).toBe(true)
  await expect.poll(remaining, { timeout: 10_000 }).toEqual([])
  expect(await node.resend(parked?.id ?? 0, skipAudit)).toBe(false)
})

test('a permanent failure makes a dead letter at the first attempt', async () => {
  await queue(3)
  const handler = aHandler({
    async perform() {
      throw new DeliveryFailure('never', 'Recusado.')
    },
  })
  const node = aNode([handler])

  await expect.poll(async () => (await node.summary()).parked, { timeout: 10_000 }).toBe(3)
  expect((await node.parked()).map(({ tries }) => tries)).toEqual([1, 1, 1])
  handler.perform = async () => {}
  expect(await node.resendAll(skipAudit)).toBe(3)
  await expect.poll(remaining, { timeout: 10_000 }).toEqual([])
})

test('an unreachable destination uses up no attempts, and its deliveries keep their age', async () => {
  await site.rows(
    `insert into outbox (kind, payload, "dueAt", "createdAt")
    select 'prova', to_jsonb(n), now() - interval '1 hour', now() - interval '1 hour' from generate_series(1, 20) n`,
  )
  let away = true
  const handler = aHandler({
    async perform() {
      if (away) throw new DeliveryFailure('away', 'Ninguém atende.')
    },
  })
  const node = aNode([handler])

  await expect.poll(async () => (await node.summary()).reasons.length, { timeout: 10_000 }).toBe(1)
  await expect.poll(async () => (await remaining()).every(({ leasedBy }) => leasedBy === null)).toBe(true)
  expect((await remaining()).map(({ attempts }) => attempts)).toEqual(Array(20).fill(0))
  expect((await node.summary()).oldestSeconds).toBeGreaterThan(3_599)
  away = false
  await expect.poll(remaining, { timeout: 10_000 }).toEqual([])
})

test('one delivery whose destination is always unreachable does not stop the others', async () => {
  await queue(6)
  const handler = aHandler({
    atOnce: 1,
    async perform([delivery]) {
      if (delivery?.payload === 1) throw new DeliveryFailure('away', 'Ninguém atende.')
    },
  })
  aNode([handler])

  await expect.poll(async () => (await remaining()).map(({ payload }) => payload), { timeout: 15_000 }).toEqual([1])
})

test('a handler can settle some of its deliveries separately', async () => {
  await queue(10)
  const handler = aHandler({
    batch: 10,
    atOnce: 1,
    async perform(deliveries, settle) {
      await settle.failed([deliveries[0] as Delivery], new DeliveryFailure('never', 'Este não.'))
      await settle.done(deliveries.slice(1, 3))
      throw new DeliveryFailure('never', 'Os outros também não.')
    },
  })
  const node = aNode([handler])

  await expect.poll(async () => (await node.summary()).parked, { timeout: 10_000 }).toBe(8)
  expect((await remaining()).map(({ reason }) => reason)).toEqual([
    'Este não.',
    ...Array(7).fill('Os outros também não.'),
  ])
})

test('a node that stops returns its deliveries at once, and another node delivers them', async () => {
  await queue(4)
  const stuck = aHandler({ perform: () => new Promise(() => {}) })
  const node = aNode([stuck])
  await expect.poll(async () => (await remaining()).filter(({ leasedBy }) => leasedBy).length).toBe(4)

  await node.stop()

  expect((await remaining()).map(({ leasedBy, attempts }) => [leasedBy, attempts])).toEqual(Array(4).fill([null, 0]))
  const other = aHandler()
  aNode([other])
  await expect.poll(remaining, { timeout: 10_000 }).toEqual([])
  expect(other.taken.length).toBe(4)
})

test('a node stops although the database is unreachable', async () => {
  await queue(4)
  let away = false
  const query: Database['query'] = async (...call) => {
    if (away) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    return database.query(...call)
  }
  const node = aNode([aHandler({ perform: () => new Promise(() => {}) })], {}, { nodeDatabase: { ...database, query } })
  await expect.poll(async () => (await remaining()).filter(({ leasedBy }) => leasedBy).length).toBe(4)

  away = true

  await expect(node.stop()).resolves.toBeUndefined()
})

test('a delivery of a killed node is delivered when its lease ends, and not before', async () => {
  await queue(1)
  await site.rows(`update outbox set "leasedBy" = gen_random_uuid(), "dueAt" = now() + interval '1 second'`)
  const handler = aHandler()
  aNode([handler])

  await delay(300)
  expect(handler.taken).toEqual([])
  await expect.poll(remaining, { timeout: 10_000 }).toEqual([])
})

describe('a claim', () => {
  const claimant = (options: QueueOptions = {}) => createQueue(database, crypto.randomUUID(), options)
  /** Seconds until the only delivery is due again. */
  const secondsLeft = async () => {
    const [row] = await site.rows<{ seconds: number }>(
      'select extract(epoch from "dueAt" - now())::float8 as seconds from outbox',
    )
    return row?.seconds ?? 0
  }
  async function claimOne(by: ReturnType<typeof claimant>): Promise<Delivery> {
    const { deliveries } = await by.claim(aHandler(), 1)
    expect(deliveries).toHaveLength(1)
    return deliveries[0] as Delivery
  }

  test('excludes other nodes until its lease ends', async () => {
    await queue(1)
    const [holder, other] = [claimant(), claimant()]
    const { id } = await claimOne(holder)
    expect((await other.claim(aHandler(), 1)).deliveries).toEqual([])
    await site.rows('update outbox set "dueAt" = now()')
    expect(await claimOne(other)).toMatchObject({ id })
  })

  test('is renewed only by its holder', async () => {
    await queue(1)
    const [holder, other] = [claimant({ leaseMs: 60_000 }), claimant({ leaseMs: 3_600_000 })]
    const { id } = await claimOne(holder)
    await other.renew([id])
    expect(await secondsLeft()).toBeLessThanOrEqual(60)
    await site.rows('update outbox set "dueAt" = now()')
    await holder.renew([id])
    expect(await secondsLeft()).toBeGreaterThan(30)
  })

  test('is renewed by its node while the delivery is in progress', async () => {
    await queue(1)
    const handler = aHandler({ perform: () => new Promise(() => {}) })
    const node = aNode([handler], { leaseMs: 3_600_000, renewMs: 20, pollMs: 600_000 })
    await expect.poll(async () => (await remaining())[0]?.leasedBy).toBeTruthy()
    await site.rows(`update outbox set "dueAt" = now() + interval '1 minute'`)
    await expect.poll(secondsLeft).toBeGreaterThan(600)
    await node.stop()
  })

  test('that another node has taken over cannot be failed or returned', async () => {
    await queue(1)
    const [late, holder] = [claimant(), claimant()]
    await claimOne(late)
    await site.rows('update outbox set "dueAt" = now()')
    const delivery = await claimOne(holder)
    const before = await site.rows('select * from outbox')
    await late.failed(delivery, 'Tarde demais.', 'dead')
    await late.handBack([delivery.id], { reason: 'Tarde demais.' })
    expect(await site.rows('select * from outbox')).toEqual(before)
  })

  test('that failed is due again after a pause that triples with each failure', async () => {
    await queue(1)
    const holder = claimant({ pauseMs: 60_000 })
    for (const minutes of [1, 3, 9]) {
      await holder.failed(await claimOne(holder), 'De novo.', 'again')
      // With a random variation of a quarter in both directions.
      expect(await secondsLeft()).toBeGreaterThan(minutes * 44)
      expect(await secondsLeft()).toBeLessThanOrEqual(minutes * 75)
      await site.rows('update outbox set "dueAt" = now()')
    }
  })
})

test('after an outage a destination is probed with one delivery', async () => {
  await queue(8)
  const batchSizes: number[] = []
  const handler = aHandler({
    batch: 2,
    async perform(deliveries) {
      batchSizes.push(deliveries.length)
      throw new DeliveryFailure('away', 'Ninguém atende.')
    },
  })
  aNode([handler])

  await expect.poll(() => batchSizes.length, { timeout: 10_000 }).toBeGreaterThan(4)
  expect(batchSizes.slice(0, 5)).toEqual([2, 2, 2, 2, 1])
})

test('a failure caused by the stop of its node uses up no attempt', async () => {
  await queue(1)
  const ended = Promise.withResolvers<void>()
  const handler = aHandler({
    perform: () => ended.promise,
    abort: () => ended.reject(new DeliveryFailure('again', 'Interrompido.')),
  })
  const node = aNode([handler])
  await expect.poll(async () => (await remaining())[0]?.leasedBy).toBeTruthy()

  await node.stop()

  expect(await remaining()).toMatchObject([{ leasedBy: null, attempts: 0, reason: null }])
})

test('all nodes together keep the rate limit of a destination', async () => {
  await queue(100)
  const handlers = [aHandler({ perMinute: 120 }), aHandler({ perMinute: 120 })]

  const startedAt = performance.now()
  for (const handler of handlers) aNode([handler])

  const taken = () => handlers.flatMap((handler) => handler.taken).length
  await expect.poll(taken, { timeout: 20_000 }).toBeGreaterThan(6)
  // Two a second, and two at once at the start.
  expect(taken()).toBeLessThanOrEqual(3 + (performance.now() - startedAt) / 500)
})

test('a destination with lower priority waits while deliveries of others are due, and shares their rate limit', async () => {
  await queue(3)
  await site.rows(`insert into outbox (kind, payload) select 'menor', '1' from generate_series(1, 3)`)
  const taken: string[] = []
  const noting = (name: string) => async (deliveries: { kind: string }[]) => {
    taken.push(...deliveries.map(() => name))
  }
  const lower = {
    ...aHandler({ perMinute: 240 }),
    name: 'menor',
    kinds: ['menor'],
    rateName: 'prova',
    yieldsTo: ['prova' as 'email'],
  }
  const startedAt = performance.now()
  aNode([{ ...lower, perform: noting('menor') }])
  await delay(1_500)
  expect(taken).toEqual([])

  aNode([{ ...aHandler({ perMinute: 240 }), perform: noting('prova') }])
  await expect.poll(() => taken.length, { timeout: 15_000 }).toBe(6)
  expect(taken).toEqual(['prova', 'prova', 'prova', 'menor', 'menor', 'menor'])
  expect((await site.rows<{ name: string }>('select name from destinos')).map(({ name }) => name)).toEqual(['prova'])
  expect(performance.now() - startedAt).toBeGreaterThan(1_500)
})

test('a slow rate limit does not stop the refill of a handler', async () => {
  let refills = 0
  const handler = aHandler({
    perMinute: 60,
    async refill() {
      refills += 1
      if (refills > 1) return false
      await queue(1)
      return true
    },
  })
  aNode([handler])
  await expect.poll(() => handler.taken.length, { timeout: 10_000 }).toBe(1)
})

test('an idle node writes nothing and runs one cheap query per interval', async () => {
  await site.rows(`insert into outbox (kind, payload, "dueAt") values ('prova', '1', now() + interval '1 day')`)
  const handler = aHandler({ perMinute: 180 })
  let queries = 0
  const counting: Database['query'] = (...call) => {
    queries += 1
    return database.query(...call)
  }
  aNode([handler], { pollMs: 200 }, { nodeDatabase: { ...database, query: counting } })
  await delay(500)
  const [afterStart, startedAt] = [queries, performance.now()]
  await delay(2_000)

  expect(queries - afterStart).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / 150)
  expect(await site.rows('select * from destinos')).toEqual([])
})

test('a batch of signatures is replaced by e-mails and by rows of each tab in one transaction', async () => {
  const twoTabs = [post('/api/peticoes', aSignature()), post('/api/peticoes', aSignature())]
  await Promise.all([...twoTabs, post('/api/campaigns/brasilquerpaz/signatures', aSignature())])
  const ids = (await site.rows('select id from peticoes order by id')).map(({ id }) => id)
  const tabs = await site.rows<{ aba: string; ids: string[] }>(
    `select "sheetTab" as aba, json_agg(p.id order by p.id) as ids from peticoes p join campaigns on slug = campanha group by 1 order by 1`,
  )

  aNode([])

  await expect
    .poll(async () => (await remaining()).some(({ kind }) => kind === 'assinaturas'), { timeout: 10_000 })
    .toBe(false)
  const rows = await remaining()
  const of = (kind: string) => rows.filter((row) => row.kind === kind).map(({ payload }) => payload)
  expect(of('planilha').sort((one, other) => one.aba.localeCompare(other.aba))).toEqual(
    tabs.map((tab) => ({ ...tab, tabela: 'peticoes' })),
  )
  expect(
    of('emails')
      .flatMap(({ ids }) => ids)
      .sort(),
  ).toEqual(ids)
})

describe('e-mails that are queued together', () => {
  const waitingEmails = (modelo: string, ids: string[]) =>
    site.rows(
      `insert into outbox (kind, payload, "dueAt", "createdAt")
      values ('emails', $1, now() - interval '1 hour', now() - interval '1 hour')`,
      [{ modelo, ids }],
    )

  test('become single ones in the order in which they were queued', async () => {
    await waitingEmails('assinatura', ['one', 'two'])
    await site.rows(
      `insert into outbox (kind, payload, "dueAt") values ('email', '{"id": "three"}', now() - interval '1 minute')`,
    )

    expect(await splitEmails(database, { reminders: true })).toBe(true)

    const due = await site.rows(`select payload->>'id' as id from outbox where kind = 'email' order by "dueAt", id`)
    expect(due.map(({ id }) => id)).toEqual(['one', 'two', 'three'])
  })

  test.each([
    ['assinatura', 1],
    ['repetida', 0],
  ])('of the kind %s are followed by %i reminders', async (kind, reminders) => {
    await waitingEmails(kind, ['one'])
    await splitEmails(database, { reminders: true })
    expect(await site.rows(`select payload from outbox where kind = 'lembretes'`)).toHaveLength(reminders)
  })
})

describe('a row that cannot be read', () => {
  const kinds = [
    'assinaturas',
    'pedidos-repetidos',
    'assinaturas-repetidas',
    'lembretes',
    'voluntario',
    'influenciador',
    'lider',
    'emails',
  ]
  const invalid = ['{}', '"texto"', '7', '["nenhum id"]', '[null]', '[["em outra lista"]]']

  test.each(kinds)('becomes a dead letter with a message, and the others are delivered (%s)', async (kind) => {
    const good = crypto.randomUUID()
    const wrapped = (text: string) => (kind === 'emails' ? `{"modelo": "repetida", "ids": ${text}}` : text)
    const readable =
      kind === 'pedidos-repetidos' ? `[{"campanha": "juros", "emailCanonico": "${good}"}]` : `["${good}"]`
    for (const text of [...invalid.slice(0, 3), readable, ...invalid.slice(3)])
      await site.rows('insert into outbox (kind, payload) values ($1, $2::jsonb)', [kind, wrapped(text)])
    const delivered: unknown[] = []
    const handler = aHandler({
      kinds: ['email', 'planilha'],
      async perform(deliveries) {
        delivered.push(...deliveries.map(({ payload }) => payload))
      },
      refill: () => splitEmails(database, { reminders: false }),
    })

    aNode([handler])

    const waiting = () => site.rows('select 1 as one from outbox where not dead')
    await expect.poll(waiting, { timeout: 10_000 }).toEqual([])
    const parked = await site.rows<{ reason: string; kind: string }>('select kind, reason from outbox where dead')
    expect(parked).toEqual(invalid.map(() => ({ kind, reason: 'Não foi possível entender o que entregar.' })))
    // The id does not exist. Only kinds that do not look the record up first deliver it.
    if (!['assinaturas', 'pedidos-repetidos', 'lembretes'].includes(kind))
      expect(JSON.stringify(delivered)).toContain(good)
  })

  test.each([
    ['email', '{"modelo": "outro", "id": "1"}', 'Modelo de e-mail desconhecido.'],
    ['email', '{"modelo": "assinatura", "id": "1"}', 'Modelo de e-mail desconhecido.'],
    ['email', 'null', 'Modelo de e-mail desconhecido.'],
    [
      'planilha',
      '{"aba": "juros", "tabela": "outra", "ids": []}',
      'Não foi possível entender o que gravar na planilha.',
    ],
    ['planilha-remover', '{"aba": "juros", "id": "1"}', 'Não foi possível entender o que gravar na planilha.'],
    ['planilha-conferir', '{"aba": ""}', 'Não foi possível entender o que gravar na planilha.'],
  ])('does not reach its handler (%s %s)', async (kind, payload, reason) => {
    await site.rows('insert into outbox (kind, payload) values ($1, $2::jsonb)', [kind, payload])
    const handler = aHandler({ kinds: [kind] })
    const node = aNode([handler])

    await expect.poll(async () => (await node.summary()).parked, { timeout: 10_000 }).toBe(1)
    expect(await remaining()).toMatchObject([{ kind, attempts: 1, reason, leasedBy: null }])
    expect(handler.taken).toEqual([])
  })
})

test('every row that requests queue matches the schema of its kind', async () => {
  const signature = aSignature()
  await post('/api/peticoes', signature)
  await post('/api/peticoes', signature)
  await post('/api/contacts', aContact())
  await post('/api/lideres', anInfluencer())
  await post('/api/formulario-lideres', aLeader())

  const rows = await remaining()
  expect(rows.map(({ kind }) => kind).sort()).toEqual([
    ...['assinaturas', 'influenciador', 'lider', 'pedidos-repetidos', 'voluntario'],
  ])
  for (const { kind, payload } of rows) expect(parsePayload(kind, payload)).toEqual({ success: true, data: payload })
})

test('a spreadsheet has one writer at a time, until it releases the lease or the lease ends', async () => {
  const [one, other] = [1, 2].map(() => createSheetLease(database, { name: 'prova', writesPerMinute: undefined })) as [
    SheetLease,
    SheetLease,
  ]
  onTestFinished(async () => {
    await Promise.all([one, other].map((lease) => lease.release(undefined)))
    await site.rows(`delete from planilhas where name = 'prova'`)
  })
  const atOnce = AbortSignal.abort()
  expect([await one.take(atOnce), await other.take(atOnce)]).toEqual([true, false])
  await one.release(undefined)
  expect([await other.take(atOnce), await one.take(atOnce)]).toEqual([true, false])
  await site.rows(`update planilhas set "leasedUntil" = now() - interval '1 second'`)
  expect(await one.take(atOnce)).toBe(true)
})

test('while people sign on a slow database, earlier deliveries are still processed', async () => {
  const handler = aHandler({ kinds: ['planilha'] })
  const slow: Database['query'] = async (...call) => {
    await delay(40)
    return database.query(...call)
  }
  const node = aNode([handler], { pollMs: 600_000 }, { nodeDatabase: { ...database, query: slow } })

  let signing = true
  const people = (async () => {
    while (signing) {
      await site.rows(`insert into outbox (kind, payload) values ('voluntario', jsonb_build_array(gen_random_uuid()))`)
      node.wake()
      await delay(20)
    }
  })()
  await expect.poll(() => handler.taken.length, { timeout: 10_000 }).toBeGreaterThan(3)
  signing = false
  await people
})

test('under load nothing is expanded or claimed before the throttle allows it, and then everything is delivered', async () => {
  await queue(6)
  await post('/api/peticoes', aSignature())
  const queries: string[] = []
  const query: Database['query'] = (...call) => {
    queries.push(call[0])
    return database.query(...call)
  }
  const loadEnds = Promise.withResolvers<void>()
  const throttle: BackgroundThrottle = { ...createBackgroundThrottle(), run: (work) => loadEnds.promise.then(work) }
  const handler = aHandler()
  aNode([handler], {}, { nodeDatabase: { ...database, query }, throttle })

  await expect.poll(() => queries.filter((name) => name === 'anything-due').length).toBeGreaterThan(3)
  expect(new Set(queries)).toEqual(new Set(['anything-due']))

  loadEnds.resolve()
  await expect.poll(() => handler.taken.length).toBe(6)
  await expect.poll(async () => (await remaining()).map(({ kind }) => kind).sort()).toEqual(['emails', 'planilha'])
})

test('under load an unreachable destination gets its full pause, however often the node is woken', async () => {
  const triedAt: number[] = []
  const handler = aHandler({
    async perform() {
      triedAt.push(performance.now())
      throw new DeliveryFailure('away', 'Fora do ar.')
    },
  })
  const throttle: BackgroundThrottle = { ...createBackgroundThrottle(), run: (work) => delay(50).then(work) }
  await queue(2)
  const node = aNode([handler], { pollMs: 10 }, { throttle })
  const waking = setInterval(node.wake, 5)
  onTestFinished(() => clearInterval(waking))

  await expect.poll(() => triedAt.length, { timeout: 20_000 }).toBeGreaterThan(2)
  const [, second = 0, third = 0] = triedAt
  expect(third - second).toBeGreaterThan(700)
})

test('a node that stops under load claims nothing more', async () => {
  const throttle = createBackgroundThrottle()
  const signing = setInterval(() => {
    for (let n = 0; n < 50; n++) throttle.trackCommit(100, async () => {})
  }, 10)
  onTestFinished(() => clearInterval(signing))
  await throttle.runUndelayed(() => delay(200))
  await delay(50)
  const handler = aHandler()
  const node = aNode([handler], {}, { throttle })
  await queue(6)
  node.wake()
  await delay(300)

  await node.stop()

  expect(handler.taken).toEqual([])
  expect((await remaining()).map(({ leasedBy }) => leasedBy)).toEqual(Array(6).fill(null))
})

test('every form becomes one e-mail and one row of its tab', async () => {
  await post('/api/contacts', aContact())
  await post('/api/lideres', anInfluencer())
  await post('/api/formulario-lideres', aLeader())
  const [ids] = await site.rows<Record<string, string>>(
    'select (select id from contacts) as contact, (select id from influenciadores) as influencer, (select id from lideres) as leader',
  )

  aNode([])

  await expect.poll(async () => (await remaining()).length, { timeout: 10_000 }).toBe(6)
  const rows = (await remaining()).map(({ kind, payload }) => [kind, payload])
  expect(rows).toEqual(
    expect.arrayContaining([
      ['email', { modelo: 'voluntario', id: ids?.contact }],
      ['email', { modelo: 'influenciador', id: ids?.influencer }],
      ['email', { modelo: 'lider', id: ids?.leader }],
      ['planilha', { aba: 'Voluntarios', tabela: 'contacts', ids: [ids?.contact] }],
      ['planilha', { aba: 'Influenciadores', tabela: 'influenciadores', ids: [ids?.influencer] }],
      ['planilha', { aba: 'Lideres', tabela: 'lideres', ids: [ids?.leader] }],
    ]),
  )
})
