// PostgreSQL crashes and restarts, or closes connections, while clients sign and read. The server process stays.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { auditData, noViolations } from '#tests/chaos/audit.ts'
import { figuresOf, reportResult } from '#tests/chaos/report.ts'
import { openPostgresSite, type PostgresSite } from '#tests/chaos/sites.ts'
import { size } from '#tests/chaos/size.ts'
import { type ChatbotLoad, startChatbotLoad, webhookSecret } from '#tests/helpers/chatbot.ts'
import { seededRandom } from '#tests/helpers/random.ts'
import { startServer } from '#tests/helpers/server-process.ts'
import { everyForm, startSigners } from '#tests/helpers/signers.ts'

let site: PostgresSite
const acknowledged = new Map<string, string>()
beforeAll(async () => {
  site = await openPostgresSite()
  site.settings.env = { ...site.settings.env, BOTCONVERSA_WEBHOOK_TOKEN: webhookSecret }
})
afterAll(() => site.remove())

/** A conversation is stored by several statements of one transaction, a signature by one statement. */
async function expectStored({ acknowledged, statuses }: ChatbotLoad): Promise<void> {
  expect(acknowledged.size).toBeGreaterThan(0)
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
  const client = new pg.Client(site.cluster.url('mobiliza'))
  await client.connect()
  const { rows } = await client.query<{ id: string }>('select "subscriberId" as id from bot_conversas')
  await client.end()
  const stored = new Set(rows.map(({ id }) => id))
  expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([])
}

test('during crashes of PostgreSQL the server keeps running, serves its pages and loses nothing that was acknowledged', async () => {
  const random = seededRandom('PostgreSQL crashes')
  const server = await startServer(site.settings)
  onTestFinished(() => server.kill())
  const { pid } = server.process
  const statusOf = async (path: string) => (await fetch(server.url + path)).status
  const publicPaths = ['/peticao', '/conteudos-destaque', '/api/carousel-contents', '/api/peticoes/count', '/saude']
  for (const path of publicPaths) expect(await statusOf(path)).toBe(200)
  const signers = startSigners({ url: server.url, paths: everyForm, otherwise: 'retry' })
  const chatbot = startChatbotLoad(server)

  const statusesDuringCrash: Record<string, number> = {}
  const readyAfterMs: number[] = []
  for (let crashes = 0; crashes < size.databaseCrashes; crashes++) {
    await signers.more(size.signedBetween)
    await delay(random.between(0, 800))
    await (crashes % 2 === 0 ? site.cluster.stop('immediate') : site.cluster.kill())
    // Every third crash outlasts the retries of the server, so that clients also get a 503.
    const backAt = performance.now() + (crashes % 3 === 1 ? 4_000 : random.between(100, 1_000))
    while (performance.now() < backAt) {
      for (const path of publicPaths) {
        const seen = `${await statusOf(path)} ${path}`
        statusesDuringCrash[seen] = (statusesDuringCrash[seen] ?? 0) + 1
      }
      await delay(50)
    }
    // A node remembers for a second that it was ready.
    await expect.poll(() => statusOf('/saude/pronto'), { timeout: 3_000, interval: 20 }).toBe(503)
    await site.cluster.start()
    const startedAt = performance.now()
    await expect.poll(() => statusOf('/saude/pronto'), { timeout: 3_000, interval: 20 }).toBe(200)
    readyAfterMs.push(Math.round(performance.now() - startedAt))
  }
  await signers.more(size.signedBetween)
  await signers.stop()
  await chatbot.stop()

  await expectStored(chatbot)
  for (const [email, requestId] of signers.acknowledged) acknowledged.set(email, requestId)
  const audit = await auditData(site.settings, acknowledged)
  const { notes, ...figures } = figuresOf(signers)
  reportResult({
    test: 'immediate stops and kill -9 of PostgreSQL',
    databaseCrashes: size.databaseCrashes,
    ...figures,
    audit,
    notes: `${notes}; ready at most ${Math.max(...readyAfterMs)} ms after it`,
  })
  expect(audit).toEqual(noViolations)
  expect(Object.keys(statusesDuringCrash).sort()).toEqual(publicPaths.map((path) => `200 ${path}`).sort())
  expect(Object.keys(signers.outcomes()).sort()).toEqual(['201', '303', '503'])
  expect(server.process.exitCode).toBe(null)
  expect(server.process.pid).toBe(pid)
  expect(server.output()).not.toContain('"level":50')
  expect(server.output()).not.toMatch(/fulana|beltrana|sicrana|lider\.|fulano/i)
})

test('connections that PostgreSQL terminates repeatedly lose no acknowledged record', async () => {
  const random = seededRandom('terminated backends')
  const server = await startServer(site.settings)
  onTestFinished(() => server.kill())
  const signers = startSigners({ url: server.url, paths: everyForm, otherwise: 'retry' })
  const chatbot = startChatbotLoad(server)

  let terminated = 0
  for (let times = 0; times < size.terminations; times++) {
    await signers.more(size.signedBetween / 4)
    await delay(random.between(0, 200))
    const ended = await site.cluster.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'mobiliza'`,
    )
    terminated += ended.length
  }
  await signers.more(size.signedBetween)
  await signers.stop()
  await chatbot.stop()

  await expectStored(chatbot)
  for (const [email, requestId] of signers.acknowledged) acknowledged.set(email, requestId)
  const audit = await auditData(site.settings, acknowledged)
  const { notes, ...figures } = figuresOf(signers)
  reportResult({ test: 'terminated backends', ...figures, audit, notes: `${terminated} backends ended; ${notes}` })
  expect(audit).toEqual(noViolations)
  expect(terminated).toBeGreaterThanOrEqual(size.terminations)
  expect(Object.keys(signers.outcomes()).filter((outcome) => !/^(201|303|503)$/.test(outcome))).toEqual([])
  expect(server.process.exitCode).toBe(null)
  expect(server.output()).not.toContain('"level":50')
})
