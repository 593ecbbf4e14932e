// E-mails of acknowledged signatures: with kill -9 of the worker, and with the SMTP server down.
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { reachedAddresses, receivedMails } from '#tests/chaos/received-mails.ts'
import { figuresOf, reportResult } from '#tests/chaos/report.ts'
import { engines, type Site } from '#tests/chaos/sites.ts'
import { size } from '#tests/chaos/size.ts'
import { seededRandom } from '#tests/helpers/random.ts'
import { type ServerSettings, startServer } from '#tests/helpers/server-process.ts'
import { everyForm, type Signers, startSigners } from '#tests/helpers/signers.ts'
import { type SmtpServer, startSmtp } from '#tests/helpers/smtp.ts'

/** Number of e-mails that a worker sends concurrently. */
const concurrency = 5

function withSmtp({ env = {}, dataDir }: ServerSettings, smtp: SmtpServer): ServerSettings {
  const smtpEnv = {
    // The output contains this URL. It must not contain example.org, which the check for personal addresses searches.
    ...{ DELIVERIES: 'on', PUBLIC_URL: 'https://mobiliza.test' },
    ...{ SMTP_URL: smtp.url, EMAIL_FROM: 'nao-responda@example.org' },
  }
  return { env: { ...env, ...smtpEnv, EMAILS_PER_MINUTE: '60000' }, ...(dataDir && { dataDir }) }
}

describe.each(engines)('on %s', (name, open) => {
  // A site per test: mails that a killed worker sent without recording them are sent again when their lease ends, to
  // the SMTP server of that time.
  let site: Site
  beforeEach(async () => {
    site = await open()
  })
  afterEach(() => site.remove())

  test('kill -9 of the worker while it sends loses no e-mail and repeats at most those in flight', async () => {
    const smtp = await startSmtp()
    smtp.faults.delayMs = 25
    const random = seededRandom(`kill -9 of the worker on ${name}`)
    const settings = withSmtp(site.settings, smtp)
    let server = await startServer(settings)
    onTestFinished(async () => {
      await server.kill()
      await smtp.stop()
    })
    const groups: Signers[] = []
    const acknowledged = new Map<string, string>()

    let killsWhileSending = 0
    for (let kills = 0; kills < size.mailKills; kills++) {
      const crowd = startSigners({ url: server.url, people: 8, paths: everyForm, otherwise: 'retry', total: 60 })
      groups.push(crowd)
      const before = reachedAddresses(smtp)
      await expect.poll(() => reachedAddresses(smtp), { timeout: 60_000, interval: 20 }).toBeGreaterThan(before + 10)
      await delay(random.between(0, 300))
      await server.kill()
      if (reachedAddresses(smtp) < groups.length * 60) killsWhileSending += 1
      server = await startServer({ ...settings, port: server.port })
      await crowd.gone()
      for (const [email, requestId] of crowd.acknowledged) acknowledged.set(email, requestId)
    }
    // Deliveries of killed workers are free again when their leases end.
    await expect.poll(() => reachedAddresses(smtp), { timeout: 170_000, interval: 500 }).toBe(acknowledged.size)
    await delay(1_000)
    const code = await server.stop()

    const { byAddress, duplicates, withSeveralIds } = await receivedMails(smtp)
    const lost = [...acknowledged.keys()].filter((email) => !byAddress.has(email))
    const { notes, ...figures } = figuresOf(...groups)
    reportResult({
      test: `kill -9 of the worker on ${name}`,
      mailKills: size.mailKills,
      ...figures,
      notes: `${notes}; e-mails: ${byAddress.size} people reached, ${lost.length} lost, ${duplicates} repeated`,
    })
    expect(lost).toEqual([])
    expect([...byAddress.keys()].filter((email) => !acknowledged.has(email))).toEqual([])
    expect(withSeveralIds).toEqual([])
    expect(duplicates).toBeLessThanOrEqual(concurrency * size.mailKills)
    expect(killsWhileSending).toBeGreaterThan(0)
    expect(server.output()).not.toMatch(/"level":[56]0|fulana|beltrana|example\.org/)
    expect(code).toBe(0)
  })

  test('with the SMTP server down every signature is accepted, and each signer gets one mail when it is back', async () => {
    const away = await startSmtp()
    await away.stop()
    const server = await startServer(withSmtp(site.settings, away))
    onTestFinished(() => server.kill())
    const signers = startSigners({ url: server.url, people: 16, otherwise: 'leave' })

    await signers.more(size.signedBetween * 5)
    await signers.stop()
    const smtp = await startSmtp({ port: away.port })
    onTestFinished(() => smtp.stop())

    expect(Object.keys(signers.outcomes())).toEqual(['201'])
    await expect.poll(() => reachedAddresses(smtp), { timeout: 170_000, interval: 500 }).toBe(signers.acknowledged.size)
    expect(await server.stop()).toBe(0)
    const { duplicates } = await receivedMails(smtp)
    expect(duplicates).toBe(0)
    expect([...new Set(smtp.received.flatMap(({ to }) => to))].sort()).toEqual([...signers.acknowledged.keys()].sort())
  })

  test('a worker that stops gracefully finishes the mails in flight and sends none twice', async () => {
    const smtp = await startSmtp()
    smtp.faults.delayMs = 100
    onTestFinished(() => smtp.stop())
    const settings = withSmtp(site.settings, smtp)
    let server = await startServer(settings)
    const signers = startSigners({ url: server.url, people: 8, otherwise: 'retry' })

    for (let stops = 0; stops < 3; stops++) {
      await signers.more(50)
      expect(await server.stop()).toBe(0)
      server = await startServer({ ...settings, port: server.port })
    }
    onTestFinished(() => server.kill())
    await signers.stop()

    await expect.poll(() => reachedAddresses(smtp), { timeout: 60_000 }).toBe(signers.acknowledged.size)
    expect(await server.stop()).toBe(0)
    expect((await receivedMails(smtp)).duplicates).toBe(0)
  })
})
