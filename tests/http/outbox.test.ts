// The queue of deliveries: claimed by any node, tried again, parked, resent, and handed back by a node that leaves.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openLocalMailbox } from '#server/adapters/local-mail.ts'
import { createLog } from '#server/core/log.ts'
import { createMetrics } from '#server/core/metrics.ts'
import { createRush, type Rush } from '#server/core/rush.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { createDeliveries, type Deliveries, type DeliveryOptions } from '#server/outbox/deliveries.ts'
import { type Courier, type Delivery, DeliveryFailure } from '#server/outbox/delivery.ts'
import { breakEmails } from '#server/outbox/expand.ts'
import { createQueue, type QueueOptions } from '#server/outbox/queue.ts'
import { createSheetLease, type SheetLease } from '#server/outbox/sheet-lease.ts'
import { aContact, aLeader, anInfluencer, aSignature } from '#tests/helpers/factories.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let database: Database
beforeAll(async () => {
  site = await openTestSite()
  database = openDatabase(site.engine, createLog('silent'))
})
afterAll(async () => {
  await database.close()
  await site.close()
})
beforeEach(() => site.empty())

/** A destination that takes everything, unless the test says otherwise. */
function aCourier(changes: Partial<Courier> = {}): Courier & { taken: Delivery[] } {
  const taken: Delivery[] = []
  return {
    name: 'prova',
    tipos: ['prova', 'prova-dois'],
    atOnce: 4,
    async perform(deliveries) {
      taken.push(...deliveries)
    },
    ...changes,
    taken,
  }
}

interface Surroundings {
  reached?: Database
  rush?: Rush
}

function aNode(
  couriers: Courier[],
  options: DeliveryOptions = {},
  { reached = database, rush = createRush() }: Surroundings = {},
): Deliveries {
  const deliveries = createDeliveries({
    database: reached,
    log: createLog('silent'),
    metrics: createMetrics(),
    rush,
    reminders: true,
    couriers,
    mailbox: openLocalMailbox(''),
    options: { pollMs: 50, stopPatienceMs: 300, ...options },
  })
  deliveries.start()
  onTestFinished(() => deliveries.stop())
  return deliveries
}

const unaudited = async () => {}
const queue = (n: number, tipo = 'prova') =>
  site.rows('insert into outbox (tipo, dados) select $1, to_jsonb(n) from generate_series(1, $2::int) n', [tipo, n])
const left = () => site.rows('select tipo, dados, tentativas, parada, motivo, reserva from outbox order by id')
const post = (path: string, body: object) =>
  fetch(site.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('four nodes together deliver everything, and nothing twice', { tags: ['slow'] }, async () => {
  await queue(400)
  await queue(100, 'prova-dois')
  const couriers = [1, 2, 3, 4].map(() => aCourier())

  for (const courier of couriers) aNode([courier])

  await expect.poll(left, { timeout: 20_000 }).toEqual([])
  const taken = couriers.flatMap((courier) => courier.taken.map(({ id }) => id))
  expect(taken.length).toBe(500)
  expect(new Set(taken).size).toBe(500)
})

test('what fails is tried again and parked with its reason; administrators see it and have it sent again', async () => {
  await queue(2)
  let broken = true
  const courier = aCourier({
    async perform([delivery]) {
      if (broken && delivery?.dados === 1) throw new DeliveryFailure('again', 'O carteiro se perdeu.')
    },
  })
  const node = aNode([courier], { pauseMs: 1, mostTries: 3 })

  await expect.poll(async () => (await node.summary()).parked, { timeout: 10_000 }).toBe(1)
  expect(await node.summary()).toMatchObject({
    waiting: 0,
    parked: 1,
    reasons: [{ reason: 'O carteiro se perdeu.', deliveries: 1 }],
  })
  const [parked] = await node.parked()
  expect(parked).toMatchObject({ tipo: 'prova', reason: 'O carteiro se perdeu.', tries: 3 })

  broken = false
  expect(await node.resend(parked?.id ?? 0, unaudited)).toBe(true)
  await expect.poll(left, { timeout: 10_000 }).toEqual([])
  expect(await node.resend(parked?.id ?? 0, unaudited)).toBe(false)
})

test('what cannot succeed is parked at the first try', async () => {
  await queue(3)
  const courier = aCourier({
    async perform() {
      throw new DeliveryFailure('never', 'Recusado.')
    },
  })
  const node = aNode([courier])

  await expect.poll(async () => (await node.summary()).parked, { timeout: 10_000 }).toBe(3)
  expect((await node.parked()).map(({ tries }) => tries)).toEqual([1, 1, 1])
  courier.perform = async () => {}
  expect(await node.resendAll(unaudited)).toBe(3)
  await expect.poll(left, { timeout: 10_000 }).toEqual([])
})

test('a destination that is away uses up no tries, and its deliveries keep their age', async () => {
  await site.rows(
    `insert into outbox (tipo, dados, proxima, "createdAt")
    select 'prova', to_jsonb(n), now() - interval '1 hour', now() - interval '1 hour' from generate_series(1, 20) n`,
  )
  let away = true
  const courier = aCourier({
    async perform() {
      if (away) throw new DeliveryFailure('away', 'Ninguém atende.')
    },
  })
  const node = aNode([courier])

  await expect.poll(async () => (await node.summary()).reasons.length, { timeout: 10_000 }).toBe(1)
  await expect.poll(async () => (await left()).every(({ reserva }) => reserva === null)).toBe(true)
  expect((await left()).map(({ tentativas }) => tentativas)).toEqual(Array(20).fill(0))
  expect((await node.summary()).oldestSeconds).toBeGreaterThan(3_599)
  away = false
  await expect.poll(left, { timeout: 10_000 }).toEqual([])
})

test('one delivery for which the destination is never there does not stop the others', async () => {
  await queue(6)
  const courier = aCourier({
    atOnce: 1,
    async perform([delivery]) {
      if (delivery?.dados === 1) throw new DeliveryFailure('away', 'Ninguém atende.')
    },
  })
  aNode([courier])

  await expect.poll(async () => (await left()).map(({ dados }) => dados), { timeout: 15_000 }).toEqual([1])
})

test('a courier may settle some of its deliveries otherwise than the rest', async () => {
  await queue(10)
  const courier = aCourier({
    batch: 10,
    atOnce: 1,
    async perform(deliveries, settle) {
      await settle.failed([deliveries[0] as Delivery], new DeliveryFailure('never', 'Este não.'))
      await settle.done(deliveries.slice(1, 3))
      throw new DeliveryFailure('never', 'Os outros também não.')
    },
  })
  const node = aNode([courier])

  await expect.poll(async () => (await node.summary()).parked, { timeout: 10_000 }).toBe(8)
  expect((await left()).map(({ motivo }) => motivo)).toEqual(['Este não.', ...Array(7).fill('Os outros também não.')])
})

test('a node that stops hands back what it holds at once, and another delivers it', async () => {
  await queue(4)
  const stuck = aCourier({ perform: () => new Promise(() => {}) })
  const node = aNode([stuck])
  await expect.poll(async () => (await left()).filter(({ reserva }) => reserva).length).toBe(4)

  await node.stop()

  expect((await left()).map(({ reserva, tentativas }) => [reserva, tentativas])).toEqual(Array(4).fill([null, 0]))
  const other = aCourier()
  aNode([other])
  await expect.poll(left, { timeout: 10_000 }).toEqual([])
  expect(other.taken.length).toBe(4)
})

test('a node that stops while the database is away stops all the same', async () => {
  await queue(4)
  let away = false
  const query: Database['query'] = async (...call) => {
    if (away) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    return database.query(...call)
  }
  const node = aNode([aCourier({ perform: () => new Promise(() => {}) })], {}, { reached: { ...database, query } })
  await expect.poll(async () => (await left()).filter(({ reserva }) => reserva).length).toBe(4)

  away = true

  await expect(node.stop()).resolves.toBeUndefined()
})

test('what a killed node held is delivered when its lease ends, and not before', async () => {
  await queue(1)
  await site.rows(`update outbox set reserva = gen_random_uuid(), proxima = now() + interval '1 second'`)
  const courier = aCourier()
  aNode([courier])

  await delay(300)
  expect(courier.taken).toEqual([])
  await expect.poll(left, { timeout: 10_000 }).toEqual([])
})

describe('a claim', () => {
  const claimant = (options: QueueOptions = {}) => createQueue(database, crypto.randomUUID(), options)
  /** Seconds until the only delivery is due again. */
  const secondsLeft = async () => {
    const [row] = await site.rows<{ seconds: number }>(
      'select extract(epoch from proxima - now())::float8 as seconds from outbox',
    )
    return row?.seconds ?? 0
  }
  async function claimOne(by: ReturnType<typeof claimant>): Promise<Delivery> {
    const { deliveries } = await by.claim(aCourier(), 1)
    expect(deliveries).toHaveLength(1)
    return deliveries[0] as Delivery
  }

  test('keeps others out until its lease ends', async () => {
    await queue(1)
    const [holder, other] = [claimant(), claimant()]
    const { id } = await claimOne(holder)
    expect((await other.claim(aCourier(), 1)).deliveries).toEqual([])
    await site.rows('update outbox set proxima = now()')
    expect(await claimOne(other)).toMatchObject({ id })
  })

  test('is renewed by its holder alone', async () => {
    await queue(1)
    const [holder, other] = [claimant({ leaseMs: 60_000 }), claimant({ leaseMs: 3_600_000 })]
    const { id } = await claimOne(holder)
    await other.renew([id])
    expect(await secondsLeft()).toBeLessThanOrEqual(60)
    await site.rows('update outbox set proxima = now()')
    await holder.renew([id])
    expect(await secondsLeft()).toBeGreaterThan(30)
  })

  test('is renewed by its node while the delivery is under way', async () => {
    await queue(1)
    const courier = aCourier({ perform: () => new Promise(() => {}) })
    const node = aNode([courier], { leaseMs: 3_600_000, renewMs: 20, pollMs: 600_000 })
    await expect.poll(async () => (await left())[0]?.reserva).toBeTruthy()
    await site.rows(`update outbox set proxima = now() + interval '1 minute'`)
    await expect.poll(secondsLeft).toBeGreaterThan(600)
    await node.stop()
  })

  test('that was lost to another node cannot be failed or handed back any more', async () => {
    await queue(1)
    const [late, holder] = [claimant(), claimant()]
    await claimOne(late)
    await site.rows('update outbox set proxima = now()')
    const delivery = await claimOne(holder)
    const before = await site.rows('select * from outbox')
    await late.failed(delivery, 'Tarde demais.', 'parked')
    await late.handBack([delivery.id], 'Tarde demais.')
    expect(await site.rows('select * from outbox')).toEqual(before)
  })

  test('that failed is due again after a pause that grows threefold with each failure', async () => {
    await queue(1)
    const holder = claimant({ pauseMs: 60_000 })
    for (const minutes of [1, 3, 9]) {
      await holder.failed(await claimOne(holder), 'De novo.', 'again')
      // Spread out by a quarter both ways.
      expect(await secondsLeft()).toBeGreaterThan(minutes * 44)
      expect(await secondsLeft()).toBeLessThanOrEqual(minutes * 75)
      await site.rows('update outbox set proxima = now()')
    }
  })
})

test('a destination that was away is asked with one delivery whether it is back', async () => {
  await queue(8)
  const asked: number[] = []
  const courier = aCourier({
    batch: 2,
    async perform(deliveries) {
      asked.push(deliveries.length)
      throw new DeliveryFailure('away', 'Ninguém atende.')
    },
  })
  aNode([courier])

  await expect.poll(() => asked.length, { timeout: 10_000 }).toBeGreaterThan(4)
  expect(asked.slice(0, 5)).toEqual([2, 2, 2, 2, 1])
})

test('what fails because its node stops uses up no try', async () => {
  await queue(1)
  const ended = Promise.withResolvers<void>()
  const courier = aCourier({
    perform: () => ended.promise,
    abort: () => ended.reject(new DeliveryFailure('again', 'Interrompido.')),
  })
  const node = aNode([courier])
  await expect.poll(async () => (await left())[0]?.reserva).toBeTruthy()

  await node.stop()

  expect(await left()).toMatchObject([{ reserva: null, tentativas: 0, motivo: null }])
})

test('all nodes together keep the pace of a destination', async () => {
  await queue(100)
  const couriers = [aCourier({ perMinute: 120 }), aCourier({ perMinute: 120 })]

  const startedAt = performance.now()
  for (const courier of couriers) aNode([courier])

  const taken = () => couriers.flatMap((courier) => courier.taken).length
  await expect.poll(taken, { timeout: 20_000 }).toBeGreaterThan(6)
  // Two a second, and two at once at the beginning.
  expect(taken()).toBeLessThanOrEqual(3 + (performance.now() - startedAt) / 500)
})

test('a slow pace does not keep a courier from what waits in a shorter form', async () => {
  let refills = 0
  const courier = aCourier({
    perMinute: 60,
    async refill() {
      refills += 1
      if (refills > 1) return false
      await queue(1)
      return true
    },
  })
  aNode([courier])
  await expect.poll(() => courier.taken.length, { timeout: 10_000 }).toBe(1)
})

test('an idle node writes nothing and asks one cheap question now and then', async () => {
  await site.rows(`insert into outbox (tipo, dados, proxima) values ('prova', '1', now() + interval '1 day')`)
  const courier = aCourier({ perMinute: 180 })
  let asked = 0
  const counting: Database['query'] = (...call) => {
    asked += 1
    return database.query(...call)
  }
  aNode([courier], { pollMs: 200 }, { reached: { ...database, query: counting } })
  await delay(500)
  const [afterStart, startedAt] = [asked, performance.now()]
  await delay(2_000)

  expect(asked - afterStart).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / 150)
  expect(await site.rows('select * from destinos')).toEqual([])
})

test('a batch of signatures becomes e-mails and rows of each tab, together with its removal', async () => {
  const twoTabs = [post('/api/peticoes', aSignature()), post('/api/peticoes', aSignature())]
  await Promise.all([...twoTabs, post('/api/campaigns/brasilquerpaz/signatures', aSignature())])
  const ids = (await site.rows('select id from peticoes order by id')).map(({ id }) => id)
  const tabs = await site.rows<{ aba: string; ids: string[] }>(
    `select "sheetTab" as aba, json_agg(p.id order by p.id) as ids from peticoes p join campaigns on slug = campanha group by 1 order by 1`,
  )

  aNode([])

  await expect
    .poll(async () => (await left()).some(({ tipo }) => tipo === 'assinaturas'), { timeout: 10_000 })
    .toBe(false)
  const rows = await left()
  const of = (tipo: string) => rows.filter((row) => row.tipo === tipo).map(({ dados }) => dados)
  expect(of('planilha').sort((one, other) => one.aba.localeCompare(other.aba))).toEqual(
    tabs.map((tab) => ({ ...tab, tabela: 'peticoes' })),
  )
  expect(
    of('emails')
      .flatMap(({ ids }) => ids)
      .sort(),
  ).toEqual(ids)
})

describe('e-mails that wait together', () => {
  const waitingEmails = (modelo: string, ids: string[]) =>
    site.rows(
      `insert into outbox (tipo, dados, proxima, "createdAt")
      values ('emails', $1, now() - interval '1 hour', now() - interval '1 hour')`,
      [{ modelo, ids }],
    )

  test('become single ones in the order in which they were queued', async () => {
    await waitingEmails('assinatura', ['one', 'two'])
    await site.rows(
      `insert into outbox (tipo, dados, proxima) values ('email', '{"id": "three"}', now() - interval '1 minute')`,
    )

    expect(await breakEmails(database, { reminders: true })).toBe(true)

    const due = await site.rows(`select dados->>'id' as id from outbox where tipo = 'email' order by proxima, id`)
    expect(due.map(({ id }) => id)).toEqual(['one', 'two', 'three'])
  })

  test.each([
    ['assinatura', 1],
    ['repetida', 0],
  ])('of the kind %s are followed by %i reminders', async (kind, reminders) => {
    await waitingEmails(kind, ['one'])
    await breakEmails(database, { reminders: true })
    expect(await site.rows(`select dados from outbox where tipo = 'lembretes'`)).toHaveLength(reminders)
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
  const rubbish = ['{}', '"texto"', '7', '["nenhum id"]', '[null]', '[["em outra lista"]]']

  test.each(kinds)('is parked with a sentence, and the others are delivered (%s)', async (tipo) => {
    const good = crypto.randomUUID()
    const wrapped = (text: string) => (tipo === 'emails' ? `{"modelo": "repetida", "ids": ${text}}` : text)
    const readable =
      tipo === 'pedidos-repetidos' ? `[{"campanha": "juros", "emailCanonico": "${good}"}]` : `["${good}"]`
    for (const text of [...rubbish.slice(0, 3), readable, ...rubbish.slice(3)])
      await site.rows('insert into outbox (tipo, dados) values ($1, $2::jsonb)', [tipo, wrapped(text)])
    const reached: unknown[] = []
    const courier = aCourier({
      tipos: ['email', 'planilha'],
      async perform(deliveries) {
        reached.push(...deliveries.map(({ dados }) => dados))
      },
      refill: () => breakEmails(database, { reminders: false }),
    })

    aNode([courier])

    const waiting = () => site.rows('select 1 as one from outbox where not parada')
    await expect.poll(waiting, { timeout: 10_000 }).toEqual([])
    const parked = await site.rows<{ motivo: string; tipo: string }>('select tipo, motivo from outbox where parada')
    expect(parked).toEqual(rubbish.map(() => ({ tipo, motivo: 'Não foi possível entender o que entregar.' })))
    // Nobody has the id: only what does not look its record up first says that it was reached.
    if (!['assinaturas', 'pedidos-repetidos', 'lembretes'].includes(tipo))
      expect(JSON.stringify(reached)).toContain(good)
  })
})

test('a spreadsheet has one writer at a time, until it lets go or its lease ends', async () => {
  const [one, other] = [1, 2].map(() => createSheetLease(database, { name: 'prova', writesAMinute: undefined })) as [
    SheetLease,
    SheetLease,
  ]
  onTestFinished(async () => {
    await Promise.all([one, other].map((lease) => lease.release(undefined)))
    await site.rows(`delete from planilhas where nome = 'prova'`)
  })
  const atOnce = AbortSignal.abort()
  expect([await one.take(atOnce), await other.take(atOnce)]).toEqual([true, false])
  await one.release(undefined)
  expect([await other.take(atOnce), await one.take(atOnce)]).toEqual([true, false])
  await site.rows(`update planilhas set "donoAte" = now() - interval '1 second'`)
  expect(await one.take(atOnce)).toBe(true)
})

test('while people keep signing on a slow database, what they left is delivered all the while', async () => {
  const courier = aCourier({ tipos: ['planilha'] })
  const slow: Database['query'] = async (...call) => {
    await delay(40)
    return database.query(...call)
  }
  const node = aNode([courier], { pollMs: 600_000 }, { reached: { ...database, query: slow } })

  let signing = true
  const people = (async () => {
    while (signing) {
      await site.rows(`insert into outbox (tipo, dados) values ('voluntario', jsonb_build_array(gen_random_uuid()))`)
      node.wake()
      await delay(20)
    }
  })()
  await expect.poll(() => courier.taken.length, { timeout: 10_000 }).toBeGreaterThan(3)
  signing = false
  await people
})

test('in a rush nothing is expanded or claimed before its turn, and all of it is delivered then', async () => {
  await queue(6)
  await post('/api/peticoes', aSignature())
  const asked: string[] = []
  const query: Database['query'] = (...call) => {
    asked.push(call[0])
    return database.query(...call)
  }
  const calm = Promise.withResolvers<void>()
  const rush: Rush = { ...createRush(), behind: (work) => calm.promise.then(work) }
  const courier = aCourier()
  aNode([courier], {}, { reached: { ...database, query }, rush })

  await expect.poll(() => asked.filter((name) => name === 'anything-due').length).toBeGreaterThan(3)
  expect(new Set(asked)).toEqual(new Set(['anything-due']))

  calm.resolve()
  await expect.poll(() => courier.taken.length).toBe(6)
  await expect.poll(async () => (await left()).map(({ tipo }) => tipo).sort()).toEqual(['emails', 'planilha'])
})

test('in a rush a destination that is away is left alone as long as otherwise, however often somebody calls', async () => {
  const triedAt: number[] = []
  const courier = aCourier({
    async perform() {
      triedAt.push(performance.now())
      throw new DeliveryFailure('away', 'Fora do ar.')
    },
  })
  const rush: Rush = { ...createRush(), behind: (work) => delay(50).then(work) }
  await queue(2)
  const node = aNode([courier], { pollMs: 10 }, { rush })
  const calling = setInterval(node.wake, 5)
  onTestFinished(() => clearInterval(calling))

  await expect.poll(() => triedAt.length, { timeout: 20_000 }).toBeGreaterThan(2)
  const [, second = 0, third = 0] = triedAt
  expect(third - second).toBeGreaterThan(700)
})

test('a node that stops in a rush claims nothing more', async () => {
  const rush = createRush()
  const signing = setInterval(() => {
    for (let n = 0; n < 50; n++) rush.committing(100, async () => {})
  }, 10)
  onTestFinished(() => clearInterval(signing))
  await rush.counted(() => delay(200))
  await delay(50)
  const courier = aCourier()
  const node = aNode([courier], {}, { rush })
  await queue(6)
  node.wake()
  await delay(300)

  await node.stop()

  expect(courier.taken).toEqual([])
  expect((await left()).map(({ reserva }) => reserva)).toEqual(Array(6).fill(null))
})

test('every form becomes one e-mail and one row of its tab', async () => {
  await post('/api/contacts', aContact())
  await post('/api/lideres', anInfluencer())
  await post('/api/formulario-lideres', aLeader())
  const [ids] = await site.rows<Record<string, string>>(
    'select (select id from contacts) as contact, (select id from influenciadores) as influencer, (select id from lideres) as leader',
  )

  aNode([])

  await expect.poll(async () => (await left()).length, { timeout: 10_000 }).toBe(6)
  const rows = (await left()).map(({ tipo, dados }) => [tipo, dados])
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
