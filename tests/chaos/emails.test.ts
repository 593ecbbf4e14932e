// E-mails of people who were told that they had signed: under kill -9 of the worker, and with the SMTP server away all the while.
import { setTimeout as delay } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { figuresOf, tell } from '#tests/chaos/report.ts'
import { engines, type Site } from '#tests/chaos/sites.ts'
import { size } from '#tests/chaos/size.ts'
import { chance } from '#tests/helpers/chance.ts'
import { type ServerSettings, startServer } from '#tests/helpers/server-process.ts'
import { everyForm, type Signers, startSigners } from '#tests/helpers/signers.ts'
import { type SmtpServer, startSmtp } from '#tests/helpers/smtp.ts'

/** As many as a worker sends at once. */
const concurrency = 5

interface Post {
  /** How many mails each address got. */
  byAddress: Map<string, number>
  duplicates: number
  /** Addresses whose mails carry more than one id. */
  withSeveralIds: string[]
}

async function sorted(smtp: SmtpServer): Promise<Post> {
  const ids = new Map<string, Set<string>>()
  const byAddress = new Map<string, number>()
  for (const { to, raw } of smtp.received) {
    const address = to.join()
    byAddress.set(address, (byAddress.get(address) ?? 0) + 1)
    const { messageId = '' } = await PostalMime.parse(raw)
    ids.set(address, (ids.get(address) ?? new Set()).add(messageId))
  }
  return {
    byAddress,
    duplicates: smtp.received.length - byAddress.size,
    withSeveralIds: [...ids].filter(([, known]) => known.size > 1).map(([address]) => address),
  }
}

function delivering({ env = {}, dataDir }: ServerSettings, smtp: SmtpServer): ServerSettings {
  const sending = {
    // The terminal names it, and must name no address of a person.
    ...{ DELIVERIES: 'on', PUBLIC_URL: 'https://mobiliza.test' },
    ...{ SMTP_URL: smtp.url, EMAIL_FROM: 'nao-responda@example.org' },
  }
  return { env: { ...env, ...sending, EMAILS_PER_MINUTE: '60000' }, ...(dataDir && { dataDir }) }
}

const reached = (smtp: SmtpServer) => new Set(smtp.received.flatMap(({ to }) => to)).size

describe.each(engines)('on %s', (name, open) => {
  // One for each: what a killed worker had sent without recording it is sent once more when its lease ends, to whoever listens then.
  let site: Site
  beforeEach(async () => {
    site = await open()
  })
  afterEach(() => site.remove())

  test('kills of the worker in the middle of sending lose no e-mail, and repeat no more than were under way', async () => {
    const smtp = await startSmtp()
    smtp.faults.delayMs = 25
    const moments = chance(`kill -9 of the worker on ${name}`)
    const settings = delivering(site.settings, smtp)
    let server = await startServer(settings)
    onTestFinished(async () => {
      await server.kill()
      await smtp.stop()
    })
    const crowds: Signers[] = []
    const acknowledged = new Map<string, string>()

    let inTheMiddle = 0
    for (let kills = 0; kills < size.mailKills; kills++) {
      const crowd = startSigners({ url: server.url, people: 8, paths: everyForm, otherwise: 'retry', total: 60 })
      crowds.push(crowd)
      const before = reached(smtp)
      await expect.poll(() => reached(smtp), { timeout: 60_000, interval: 20 }).toBeGreaterThan(before + 10)
      await delay(moments.between(0, 300))
      await server.kill()
      if (reached(smtp) < crowds.length * 60) inTheMiddle += 1
      server = await startServer({ ...settings, port: server.port })
      await crowd.gone()
      for (const [email, requestId] of crowd.acknowledged) acknowledged.set(email, requestId)
    }
    // What the last ones held is free again when their leases end.
    await expect.poll(() => reached(smtp), { timeout: 170_000, interval: 500 }).toBe(acknowledged.size)
    await delay(1_000)
    const code = await server.stop()

    const { byAddress, duplicates, withSeveralIds } = await sorted(smtp)
    const lost = [...acknowledged.keys()].filter((email) => !byAddress.has(email))
    const { notes, ...figures } = figuresOf(...crowds)
    tell({
      test: `kill -9 of the worker on ${name}`,
      mailKills: size.mailKills,
      ...figures,
      notes: `${notes}; e-mails: ${byAddress.size} people reached, ${lost.length} lost, ${duplicates} repeated`,
    })
    expect(lost).toEqual([])
    expect([...byAddress.keys()].filter((email) => !acknowledged.has(email))).toEqual([])
    expect(withSeveralIds).toEqual([])
    expect(duplicates).toBeLessThanOrEqual(concurrency * size.mailKills)
    expect(inTheMiddle).toBeGreaterThan(0)
    expect(server.output()).not.toMatch(/"level":[56]0|fulana|beltrana|example\.org/)
    expect(code).toBe(0)
  })

  test('an SMTP server that is away the whole time fails nobody who signs, and everybody gets one mail when it is back', async () => {
    const away = await startSmtp()
    await away.stop()
    const server = await startServer(delivering(site.settings, away))
    onTestFinished(() => server.kill())
    const signers = startSigners({ url: server.url, people: 16, otherwise: 'leave' })

    await signers.more(size.signedBetween * 5)
    await signers.stop()
    const smtp = await startSmtp({ port: away.port })
    onTestFinished(() => smtp.stop())

    expect(Object.keys(signers.outcomes())).toEqual(['201'])
    await expect.poll(() => reached(smtp), { timeout: 170_000, interval: 500 }).toBe(signers.acknowledged.size)
    expect(await server.stop()).toBe(0)
    const { duplicates } = await sorted(smtp)
    expect(duplicates).toBe(0)
    expect([...new Set(smtp.received.flatMap(({ to }) => to))].sort()).toEqual([...signers.acknowledged.keys()].sort())
  })

  test('a worker that stops in order sends what it had begun, and nothing twice', async () => {
    const smtp = await startSmtp()
    smtp.faults.delayMs = 100
    onTestFinished(() => smtp.stop())
    const settings = delivering(site.settings, smtp)
    let server = await startServer(settings)
    const signers = startSigners({ url: server.url, people: 8, otherwise: 'retry' })

    for (let stops = 0; stops < 3; stops++) {
      await signers.more(50)
      expect(await server.stop()).toBe(0)
      server = await startServer({ ...settings, port: server.port })
    }
    onTestFinished(() => server.kill())
    await signers.stop()

    await expect.poll(() => reached(smtp), { timeout: 60_000 }).toBe(signers.acknowledged.size)
    expect(await server.stop()).toBe(0)
    expect((await sorted(smtp)).duplicates).toBe(0)
  })
})
