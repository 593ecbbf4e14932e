// An ordered stop in the middle of a busy hour.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { auditBooks, inOrder } from '#tests/chaos/books.ts'
import { startProxy } from '#tests/chaos/proxy.ts'
import { tell } from '#tests/chaos/report.ts'
import { engines, openPostgresSite, type PostgresSite, type Site } from '#tests/chaos/sites.ts'
import { size } from '#tests/chaos/size.ts'
import { chance } from '#tests/helpers/chance.ts'
import { rowsOf } from '#tests/helpers/postgres.ts'
import { startServer } from '#tests/helpers/server-process.ts'
import { type Outcome, startSigners } from '#tests/helpers/signers.ts'
import { startSmtp } from '#tests/helpers/smtp.ts'

// Who found nobody there, or was told to come back, loses nothing: they know that they have not signed.
const fair = new Set<string>(['201', '503', 'refused', 'not accepted'] satisfies Outcome[])

describe.each(engines)('on %s', (name, open) => {
  let site: Site
  beforeAll(async () => {
    site = await open()
  })
  afterAll(() => site.remove())

  test('stops under load answer every request that was accepted and end with 0 within ten seconds', async () => {
    const moments = chance(`SIGTERM on ${name}`)
    const acknowledged = new Map<string, string>()
    let slowestMs = 0

    for (let stops = 0; stops < size.stops; stops++) {
      const server = await startServer(site.settings)
      onTestFinished(() => server.kill())
      const crowd = startSigners({ url: server.url, people: 24, otherwise: 'leave' })
      const visitors = startSigners({ url: server.url, people: 8, otherwise: 'leave' })
      await Promise.all([crowd.more(150), visitors.more(50)])
      await delay(moments.between(0, 500))

      const askedAt = performance.now()
      const stopped = server.stop()
      // They get the answer to the request in hand and then say nothing more on their open connections.
      await visitors.stop()
      const code = await stopped
      const tookMs = performance.now() - askedAt
      await crowd.gone()

      for (const signers of [crowd, visitors]) {
        for (const [email, requestId] of signers.acknowledged) acknowledged.set(email, requestId)
        expect(Object.keys(signers.outcomes()).filter((outcome) => !fair.has(outcome))).toEqual([])
      }
      slowestMs = Math.max(slowestMs, Math.round(tookMs))
      expect(code).toBe(0)
      expect(tookMs).toBeLessThan(10_000)
    }

    const audit = await auditBooks(site.settings, acknowledged)
    tell({
      test: `SIGTERM under load on ${name}`,
      stops: size.stops,
      acknowledged: acknowledged.size,
      audit,
      notes: `stopped within ${slowestMs} ms`,
    })
    // Nobody retried here, so "untold" would be a signature that was accepted and never answered.
    expect(audit).toEqual(inOrder)
  })

  // Nothing in it depends on the engine.
  if (open === openPostgresSite)
    test('a client that never finishes its request does not keep the server from stopping in order', async () => {
      const server = await startServer(site.settings)
      onTestFinished(() => server.kill())
      const unfinished = connect(server.port, '127.0.0.1')
      unfinished.on('error', () => {})
      await once(unfinished, 'connect')
      unfinished.write(
        'POST /api/peticoes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
      )
      expect((await fetch(`${server.url}/saude`)).status).toBe(200)

      const askedAt = performance.now()
      const code = await server.stop()

      expect(code).toBe(0)
      expect(performance.now() - askedAt).toBeLessThan(10_000)
    })

  if (open === openPostgresSite)
    test('without the database, with mails under way and asked twice, people are still answered first', async () => {
      const { cluster, settings } = site as PostgresSite
      const proxy = await startProxy(cluster.port)
      const smtp = await startSmtp()
      smtp.faults.delayMs = 60_000
      const silence = createServer().listen(0, '127.0.0.1')
      onTestFinished(async () => {
        silence.close()
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
      const held = () =>
        rowsOf(settings.env?.DATABASE_URL ?? '', `select from outbox where tipo = 'email' and reserva is not null`)
      await expect.poll(held, { timeout: 10_000 }).not.toEqual([])
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

      // Silent at first, gone when deliveries have been given up and are to be handed back.
      proxy.switchTo((silence.address() as AddressInfo).port)
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
