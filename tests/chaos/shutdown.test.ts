// Graceful stops under load.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { auditData, noViolations } from '#tests/chaos/audit.ts'
import { startProxy } from '#tests/chaos/proxy.ts'
import { reportResult } from '#tests/chaos/report.ts'
import { engines, openPostgresSite, type PostgresSite, type Site } from '#tests/chaos/sites.ts'
import { size } from '#tests/chaos/size.ts'
import { rowsOf } from '#tests/helpers/postgres.ts'
import { seededRandom } from '#tests/helpers/random.ts'
import { startServer } from '#tests/helpers/server-process.ts'
import { type Outcome, startSigners } from '#tests/helpers/signers.ts'
import { startSmtp } from '#tests/helpers/smtp.ts'

// With these outcomes, clients know whether they have signed.
const allowedOutcomes = new Set<string>(['201', '503', 'refused', 'not accepted'] satisfies Outcome[])

describe.each(engines)('on %s', (name, open) => {
  let site: Site
  beforeAll(async () => {
    site = await open()
  })
  afterAll(() => site.remove())

  test('a stop under load answers every accepted request and ends with 0 within ten seconds', async () => {
    const random = seededRandom(`SIGTERM on ${name}`)
    const acknowledged = new Map<string, string>()
    let slowestMs = 0

    for (let stops = 0; stops < size.stops; stops++) {
      const server = await startServer(site.settings)
      onTestFinished(() => server.kill())
      const crowd = startSigners({ url: server.url, people: 24, otherwise: 'leave' })
      const visitors = startSigners({ url: server.url, people: 8, otherwise: 'leave' })
      await Promise.all([crowd.more(150), visitors.more(50)])
      await delay(random.between(0, 500))

      const stopRequestedAt = performance.now()
      const stopped = server.stop()
      // These clients get the response to their current request and then keep idle connections open.
      await visitors.stop()
      const code = await stopped
      const tookMs = performance.now() - stopRequestedAt
      await crowd.gone()

      for (const signers of [crowd, visitors]) {
        for (const [email, requestId] of signers.acknowledged) acknowledged.set(email, requestId)
        expect(Object.keys(signers.outcomes()).filter((outcome) => !allowedOutcomes.has(outcome))).toEqual([])
      }
      slowestMs = Math.max(slowestMs, Math.round(tookMs))
      expect(code).toBe(0)
      expect(tookMs).toBeLessThan(10_000)
    }

    const audit = await auditData(site.settings, acknowledged)
    reportResult({
      test: `SIGTERM under load on ${name}`,
      stops: size.stops,
      acknowledged: acknowledged.size,
      audit,
      notes: `stopped within ${slowestMs} ms`,
    })
    // No client retries here, so an unacknowledged signature would be one that was accepted and never answered.
    expect(audit).toEqual(noViolations)
  })

  // Independent of the engine.
  if (open === openPostgresSite)
    test('a client that never finishes its request does not prevent a graceful stop', async () => {
      const server = await startServer(site.settings)
      onTestFinished(() => server.kill())
      const unfinished = connect(server.port, '127.0.0.1')
      unfinished.on('error', () => {})
      await once(unfinished, 'connect')
      unfinished.write(
        'POST /api/peticoes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
      )
      expect((await fetch(`${server.url}/saude`)).status).toBe(200)

      const stopRequestedAt = performance.now()
      const code = await server.stop()

      expect(code).toBe(0)
      expect(performance.now() - stopRequestedAt).toBeLessThan(10_000)
    })

  if (open === openPostgresSite)
    test('a stop without a database, with mails in flight and a second signal, still answers open requests', async () => {
      const { cluster, settings } = site as PostgresSite
      const proxy = await startProxy(cluster.port)
      const smtp = await startSmtp()
      smtp.faults.delayMs = 60_000
      const silentServer = createServer().listen(0, '127.0.0.1')
      onTestFinished(async () => {
        silentServer.close()
        await smtp.stop()
      })
      const databaseUrl = new URL(settings.env?.DATABASE_URL ?? '')
      databaseUrl.port = String(proxy.port)
      const mail = {
        ...{ DELIVERIES: 'on', PUBLIC_URL: 'https://mobiliza.example.org' },
        ...{ SMTP_URL: smtp.url, EMAIL_FROM: 'nao-responda@example.org' },
      }
      const server = await startServer({ ...settings, env: { DATABASE_URL: databaseUrl.href, ...mail } })
      onTestFinished(() => server.kill())
      const signers = startSigners({ url: server.url, people: 1, otherwise: 'leave' })
      await signers.more(1)
      await signers.stop()
      const reservedMails = () =>
        rowsOf(settings.env?.DATABASE_URL ?? '', `select from outbox where kind = 'email' and "leasedBy" is not null`)
      await expect.poll(reservedMails, { timeout: 10_000 }).not.toEqual([])
      const slow = connect(server.port, '127.0.0.1')
      let answer = ''
      slow.on('data', (chunk) => {
        answer += chunk
      })
      slow.on('error', () => {})
      slow.write(
        'POST /api/peticoes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{',
      )
      await delay(200)

      // The database is silent at first, and down when the worker gives up its deliveries and releases them.
      proxy.switchTo((silentServer.address() as AddressInfo).port)
      server.process.kill('SIGINT')
      const stopped = server.stop()
      await delay(4_000)
      await proxy.stop()
      await delay(500)
      slow.write('}')

      expect(await stopped).toBe(0)
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
    })
})
