// News while servers are killed, and news sent by two nodes.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { mailboxHmac, readAddressKeys } from '#server/core/address-key.ts'
import { reachedAddresses, receivedMails } from '#tests/chaos/received-mails.ts'
import { reportResult } from '#tests/chaos/report.ts'
import { connectTo, engines, openPostgresSite, type Site } from '#tests/chaos/sites.ts'
import { size } from '#tests/chaos/size.ts'
import { credentials, enter } from '#tests/helpers/administrator.ts'
import { addPerson, newsClient } from '#tests/helpers/news.ts'
import { seededRandom } from '#tests/helpers/random.ts'
import { type ServerSettings, startServer } from '#tests/helpers/server-process.ts'
import { type ReceivedMail, type SmtpServer, startSmtp } from '#tests/helpers/smtp.ts'

/** Number of e-mails that a worker sends concurrently. */
const concurrency = 5
/** Number of people who get no e-mail, for each reason. */
const outsiders = 5
/** Number of recipients whose mail server rejects the address. */
const rejecting = 5

type Rows = Parameters<typeof addPerson>[0]

function sendingSettings(site: Site, smtp: SmtpServer): ServerSettings {
  return {
    ...site.settings,
    env: {
      ...site.settings.env,
      ...{ DELIVERIES: 'on', PUBLIC_URL: 'https://mobiliza.test', ADMIN_PASSWORD: credentials.password },
      ...{ SMTP_URL: smtp.url, EMAIL_FROM: 'nao-responda@example.org', EMAILS_PER_MINUTE: '60000' },
    },
  }
}

/** A connection to the database of the running server. */
async function connect({ env, dataDir = '' }: ServerSettings): Promise<pg.Client> {
  if (!env?.DATABASE_URL) return connectTo(dataDir)
  const client = new pg.Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  return client
}

/** The server has been started before. */
function addressKeyOf({ dataDir = '' }: ServerSettings): Buffer {
  const key = readAddressKeys({ dataDir }).at(-1)
  if (!key) throw new Error(`${dataDir} has no address key`)
  return key
}

/** Stores people who get the news item and people who do not. Returns the addresses of those who get it. */
async function storePeople(rows: Rows, addressKey: Buffer): Promise<{ reachable: string[]; rejected: string[] }> {
  const people: string[] = []
  for (let n = 0; n < size.newsRecipients; n++) people.push((await addPerson(rows)).email)
  // One e-mail for both records of a person.
  for (const email of people.slice(0, outsiders)) await addPerson(rows, { email, campanha: 'brasilquerpaz' })
  for (let n = 0; n < outsiders; n++) {
    await addPerson(rows, { acceptsNews: false })
    await addPerson(rows, { isConfirmed: false })
    for (const column of ['unsubscribedAt', 'doNotContactAt', 'rejectedAt']) {
      const { email } = await addPerson(rows)
      await rows(`insert into enderecos ("addressHmac", "${column}") values ($1, now())`, [
        mailboxHmac(addressKey, email),
      ])
    }
  }
  return { reachable: people.slice(rejecting), rejected: people.slice(0, rejecting) }
}

/**
 * The number of repeated mails by the life of the server, from one kill to the next, in which the earlier mail to the
 * same address was received.
 */
function repeatsByLife(received: ReceivedMail[], mailsAtKills: number[]): number[] {
  const repeats = new Array<number>(mailsAtKills.length + 1).fill(0)
  const lastLife = new Map<string, number>()
  for (const [index, { to }] of received.entries()) {
    const earlier = lastLife.get(to.join())
    if (earlier !== undefined) repeats[earlier] = (repeats[earlier] ?? 0) + 1
    lastLife.set(to.join(), mailsAtKills.filter((mails) => mails <= index).length)
  }
  return repeats
}

describe.each(engines)('on %s', (name, open) => {
  let site: Site
  beforeEach(async () => {
    site = await open()
  })
  afterEach(() => site.remove())

  test('kill -9 while a news item is sent: every recipient gets it, nobody else does, and only mails in flight are repeated', async () => {
    const smtp = await startSmtp()
    smtp.faults.delayMs = 25
    const random = seededRandom(`kill -9 while news are sent on ${name}`)
    const settings = sendingSettings(site, smtp)
    let server = await startServer(settings)
    onTestFinished(async () => {
      await server.kill()
      await smtp.stop()
    })
    const client = await connect(settings)
    const rows: Rows = async (text, values) => (await client.query(text, values)).rows
    const { reachable, rejected } = await storePeople(rows, addressKeyOf(settings))
    const refuses = new Set(rejected)
    smtp.faults.recipient = (address) => (refuses.has(address) ? { code: 550, text: '5.1.1 unknown' } : undefined)
    const admin = await enter({ url: server.url }, credentials)
    const news = newsClient(admin, rows)
    const id = await news.send({ segmento: { tipos: ['assinaturas'] } })
    // The connection would be lost with the first kill.
    await client.end()

    const mailsAtKills: number[] = []
    let killsWhileSending = 0
    const mailsBetween = Math.floor(reachable.length / (size.newsKills + 2))
    for (let kills = 0; kills < size.newsKills; kills++) {
      const before = reachedAddresses(smtp)
      await expect
        .poll(() => reachedAddresses(smtp), { timeout: 60_000, interval: 20 })
        .toBeGreaterThan(Math.min(before + mailsBetween / 2, reachable.length - 1))
      await delay(random.between(0, 300))
      await server.kill()
      // Mails that the killed server had already passed on are received after this delay.
      await delay(2 * smtp.faults.delayMs)
      mailsAtKills.push(smtp.received.length)
      if (reachedAddresses(smtp) < reachable.length) killsWhileSending += 1
      server = await startServer({ ...settings, port: server.port })
    }
    // Deliveries of killed workers are free again when their leases end.
    const end = await news.until(id, 'done', 150_000)
    await delay(1_000)
    const code = await server.stop()

    const { byAddress, duplicates, withSeveralIds } = await receivedMails(smtp)
    const missing = reachable.filter((email) => !byAddress.has(email))
    const repeats = repeatsByLife(smtp.received, mailsAtKills)
    reportResult({
      test: `kill -9 while a news item is sent on ${name}`,
      mailKills: size.newsKills,
      notes: `${byAddress.size} recipients reached, ${missing.length} missing, ${duplicates} repeated (${repeats.join(', ')})`,
    })
    expect(missing).toEqual([])
    expect([...byAddress.keys()].filter((email) => !reachable.includes(email))).toEqual([])
    expect(withSeveralIds).toEqual([])
    expect(Math.max(...repeats)).toBeLessThanOrEqual(concurrency)
    expect(repeats.at(-1)).toBe(0)
    expect(killsWhileSending).toBeGreaterThan(0)
    // A rejection whose record was lost in a kill suppresses the address all the same.
    expect(end.recusados + end.dispensados).toBe(rejecting)
    expect(end).toMatchObject({
      ...{ destinatarios: size.newsRecipients, aceitos: reachable.length, parados: 0, adiados: 0, descadastros: 0 },
      excluidos: {
        ...{ 'sem-aceite': outsiders, 'sem-confirmacao': outsiders, descadastrado: outsiders },
        ...{ 'nao-contatar': outsiders, suspenso: outsiders, repetido: outsiders },
      },
    })
    expect(server.output()).not.toMatch(/"level":[56]0|fictícia|example\.org/i)
    expect(code).toBe(0)
  })
})

test('two nodes send a news item together: nobody gets it twice, a pause at one stops both, and one goes on alone', async () => {
  const site = await openPostgresSite()
  onTestFinished(() => site.remove())
  const smtp = await startSmtp()
  smtp.faults.delayMs = 100
  const settings = sendingSettings(site, smtp)
  const first = await startServer(settings)
  const second = await startServer(settings)
  onTestFinished(async () => {
    await Promise.all([first.kill(), second.kill()])
    await smtp.stop()
  })
  const client = await connect(settings)
  onTestFinished(() => client.end())
  const rows: Rows = async (text, values) => (await client.query(text, values)).rows
  const people: string[] = []
  for (let n = 0; n < size.newsRecipients; n++) people.push((await addPerson(rows)).email)
  const news = newsClient(await enter({ url: first.url }, credentials), rows)
  const adminAtSecond = await enter({ url: second.url }, credentials)

  const id = await news.send({ segmento: { tipos: ['assinaturas'] } })
  // Both nodes hold deliveries at the same time.
  const workers = async () =>
    (await rows(`select distinct "leasedBy" from outbox where kind = 'novidade' and "leasedBy" is not null`)).length
  await expect.poll(workers, { timeout: 60_000, interval: 20 }).toBe(2)
  await adminAtSecond.ask('POST', news.path(id, '/envio/pausar'), {})
  await news.atRest()
  const atPause = smtp.received.length
  expect(atPause).toBeLessThan(people.length)
  await delay(1_000)
  expect(smtp.received.length).toBe(atPause)

  await second.stop()
  const end = await news.resumeUntilDone(id, 150_000)

  const { byAddress, duplicates } = await receivedMails(smtp)
  expect([...byAddress.keys()].sort()).toEqual(people.sort())
  expect(duplicates).toBe(0)
  expect(end).toMatchObject({ destinatarios: people.length, aceitos: people.length, parados: 0 })
})
