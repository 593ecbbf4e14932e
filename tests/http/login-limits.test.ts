// Guessed passwords of administrators: the limit per account over all addresses and nodes, and the e-mail to the owner.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { createSmtpMailer } from '#server/adapters/smtp.ts'
import { createLog } from '#server/core/log.ts'
import { openDatabase } from '#server/db/database.ts'
import { createAccountMail } from '#server/features/admin/account-mail.ts'
import { sendDailyNotice } from '#server/features/admin/daily-notice.ts'
import { createGuessLimit } from '#server/features/admin/guess-limit.ts'
import { createGuessNotice } from '#server/features/admin/guess-notice.ts'
import { type Administrator, credentials, enter } from '#tests/helpers/administrator.ts'
import { defaultSite } from '#tests/helpers/default-site.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { type SmtpServer, startSmtp } from '#tests/helpers/smtp.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let smtp: SmtpServer
beforeAll(async () => {
  smtp = await startSmtp()
  site = await openTestSite({ TRUST_PROXY: '127.0.0.1', SMTP_URL: smtp.url, EMAIL_FROM: 'nao-responda@example.org' })
})
afterAll(async () => {
  await site.close()
  await smtp.stop()
})
beforeEach(async () => {
  await site.rows('delete from admin_devices')
  await site.rows('update admin_users set "refusedCount" = 0, "refusedSince" = null, "refusedNoticeAt" = null')
  smtp.received.length = 0
})

let addresses = 0
/** Every request comes from another address. */
async function logIn(fields: object) {
  const address = `198.51.100.${++addresses % 250}`
  const body = { ...credentials, ...fields }
  const answer = await postJson(`${site.url}/api/admin/login`, body, { 'x-forwarded-for': address })
  const text = await answer.text()
  return { status: answer.status, text, device: (JSON.parse(text) as { device?: string }).device }
}
const guess = (fields: object = {}) => logIn({ password: 'chute-errado', ...fields })

/** Refused passwords that other nodes have counted. */
const countElsewhere = (count: number, since = 'now()') =>
  site.rows(`update admin_users set "refusedCount" = $1, "refusedSince" = ${since}`, [count])

async function counted(): Promise<number> {
  const [row] = await site.rows<{ refusedCount: number }>('select "refusedCount" from admin_users')
  return Number(row?.refusedCount)
}

const wrongPassword = {
  status: 401,
  text: '{"success":false,"message":"Usuário ou senha incorretos.","code":"unauthenticated"}',
}

describe('an account with a hundred refused passwords within an hour', () => {
  let device: string | undefined
  let open: Administrator
  beforeEach(async () => {
    device = (await logIn({})).device
    open = await enter(site)
    await countElsewhere(98)
  })

  test('answers like a wrong password and like an unknown user name, also to the right password', async () => {
    expect(await Promise.all([guess(), guess(), guess(), guess()])).toEqual(
      Array(4).fill(expect.objectContaining(wrongPassword)),
    )
    expect(await counted()).toBe(100)

    expect(await logIn({})).toMatchObject(wrongPassword)
    expect(await logIn({ username: 'ADMIN' })).toMatchObject(wrongPassword)
    expect(await logIn({ device: 'A'.repeat(43) })).toMatchObject(wrongPassword)
    expect(await guess({ username: 'ninguem' })).toMatchObject(wrongPassword)
    expect(await counted()).toBe(100)
  })

  test('accepts the right password from a device with an earlier login, and open sessions continue', async () => {
    await countElsewhere(100)

    expect(await logIn({ device })).toMatchObject({ status: 200, device })
    expect(await logIn({})).toMatchObject(wrongPassword)
    expect((await open.call('GET', '/api/admin/equipe')).status).toBe(200)
    const password = 'outra-senha-longa-1'
    await open.ask('POST', '/api/admin/conta/senha', { current: credentials.password, password })
    // A new password makes the earlier guesses worthless.
    expect(await logIn({ password })).toMatchObject({ status: 200 })
    await open.ask('POST', '/api/admin/conta/senha', { current: password, password: credentials.password })
  })

  test('accepts the right password from everywhere after the hour', async () => {
    await countElsewhere(100, `now() - interval '59 minutes'`)
    expect(await logIn({})).toMatchObject(wrongPassword)
    await countElsewhere(100, `now() - interval '61 minutes'`)
    expect(await logIn({})).toMatchObject({ status: 200 })
    await guess()
    expect(await counted()).toBe(1)
  })

  test('accepts a password that the operator or a colleague has made', async () => {
    await countElsewhere(0, 'null')
    const member = { username: 'fulana', email: 'fulana@example.org', password: 'senha-da-fulana-1' }
    await open.ask('POST', '/api/admin/equipe', member)
    try {
      await countElsewhere(100)
      expect(await logIn(member)).toMatchObject(wrongPassword)
      const [{ id } = { id: 0 }] = await site.rows<{ id: number }>(
        `select id from admin_users where username = 'fulana'`,
      )
      const { password } = await open.ask<{ password: string }>('POST', `/api/admin/equipe/${id}/senha`)
      expect(await logIn({ ...member, password })).toMatchObject({ status: 200 })
    } finally {
      await site.rows(`delete from admin_users where username = 'fulana'`)
    }
  })
})

test('a right password is not counted, wrong ones of a known device and of an open session are', async () => {
  const { device } = await logIn({})
  expect(await counted()).toBe(0)
  await guess({ device })
  expect(await counted()).toBe(1)
  const { call } = await enter(site)
  await call('POST', '/api/admin/conta/senha', { current: 'errada-errada', password: 'outra-senha-longa' })
  expect(await counted()).toBe(2)
  await logIn({})
  expect(await counted()).toBe(2)
})

// The embedded engine runs one transaction at a time, so a lock would stop every query.
test.runIf(inject('source').kind === 'postgres')(
  'invented tokens of sessions do not delay the second step of a login',
  async () => {
    const locking = new pg.Client(site.engine.direct)
    await locking.connect()
    const session = () =>
      fetch(`${site.url}/api/admin/sessao`, {
        headers: { authorization: `Bearer ${randomBytes(32).toString('base64url')}` },
      })
    try {
      await locking.query('begin')
      await locking.query('lock table admin_sessions in access exclusive mode')
      const lookups = [session(), session()]
      const waiting = `select 1 from pg_locks where not granted and relation = 'admin_sessions'::regclass`
      await expect.poll(() => site.rows(waiting)).toHaveLength(2)

      const answer = await postJson(`${site.url}/api/admin/login/codigo`, {
        ...{ challenge: randomBytes(32).toString('base64url'), code: '000000' },
      })
      expect(await answer.json()).toMatchObject({ code: 'login-expired' })

      await locking.query('rollback')
      expect((await Promise.all(lookups)).map(({ status }) => status)).toEqual([401, 401])
    } finally {
      await locking.end()
    }
  },
)

test('concurrent guesses on two nodes do not exceed the limit', async () => {
  const nodes = [1, 2].map(() => openDatabase(site.engine, createLog('silent'), site.addressKey))
  const [account] = await site.rows<{ id: number }>('select id from admin_users')
  const limits = nodes.map((database) => createGuessLimit(database))

  const reserved = await Promise.all(Array.from({ length: 240 }, (_, n) => limits[n % 2]?.reserve(Number(account?.id))))

  const granted = reserved.filter((count) => count !== undefined).sort((one, other) => one - other)
  expect(granted).toEqual(Array.from({ length: 100 }, (_, n) => n + 1))
  await Promise.all(nodes.map((database) => database.close()))
})

describe('the owner of an account at the limit', () => {
  const notices = async () =>
    (await smtp.parsed()).map(({ to, subject, text, html, headers }) => ({
      ...{ to: to?.[0]?.address, subject, text: text ?? '', html: html ?? '' },
      unsubscribe: headers.some(({ key }) => key.startsWith('list-unsubscribe')),
    }))

  test('gets one e-mail a day with the time, the number and what to do, and without a password', async () => {
    await countElsewhere(98, `now() - interval '20 minutes'`)
    await Promise.all([guess(), guess(), guess(), guess()])

    await expect.poll(notices).toHaveLength(1)
    const [notice] = await notices()
    expect(notice).toMatchObject({
      ...{
        to: 'admin@example.org',
        subject: 'Muitas senhas erradas na sua conta de administração',
        unsubscribe: false,
      },
    })
    const text = notice?.text.replace(/\s+/g, ' ')
    expect(text).toContain('A conta “admin” da área administrativa')
    expect(text).toMatch(
      /teve 100 senhas recusadas entre \d\d\/\d\d\/\d{4} às \d\dh\d\d e \d\d\/\d\d\/\d{4} às \d\dh\d\d/,
    )
    expect(text).toContain('troque a sua senha')
    expect(text).toContain('https://mobiliza.example.org/admin')
    expect(JSON.stringify(notice)).not.toMatch(/chute-errado|senha-de-teste/)

    await countElsewhere(99)
    await guess()
    await site.rows(`update admin_users set "refusedNoticeAt" = now() - interval '23 hours'`)
    await countElsewhere(99)
    await guess()
    expect(await notices()).toHaveLength(1)

    await site.rows(`update admin_users set "refusedNoticeAt" = now() - interval '25 hours'`)
    await countElsewhere(99)
    await guess()
    await expect.poll(notices).toHaveLength(2)
  })

  test('does not wait for the mail server at the login', async () => {
    smtp.faults.delayMs = 3_000
    onTestFinished(() => {
      smtp.faults.delayMs = 0
    })
    await countElsewhere(99)
    await guess()
    // The mail server has not answered yet.
    expect(smtp.received).toHaveLength(0)
    await expect.poll(() => smtp.received.length, { timeout: 15_000 }).toBe(1)
  })

  test('gets the e-mail at a later try, and a server that stays away is tried again at the next limit', async () => {
    const database = openDatabase(site.engine, createLog('silent'), site.addressKey)
    onTestFinished(() => database.close())
    const mailer = createSmtpMailer({ url: smtp.url, from: 'nao-responda@example.org', connections: 1 })
    onTestFinished(() => mailer.close())
    const [account] = await site.rows<{ id: number }>('select id from admin_users')
    const [log, publicUrl] = [createLog('silent'), 'https://mobiliza.example.org']
    const siteSettings = { current: async () => defaultSite } as never
    const mail = createAccountMail({ mailer, site: siteSettings, publicUrl, log, pauses: [0, 10] })
    const notice = createGuessNotice({ database, mail, publicUrl, log })
    const noticeAt = async () =>
      (await site.rows<{ at: Date | null }>('select "refusedNoticeAt" as at from admin_users'))[0]?.at
    let refusals = 0
    onTestFinished(() => {
      smtp.faults.sender = () => undefined
    })

    smtp.faults.sender = () => (++refusals > 1 ? undefined : { code: 451, text: 'later' })
    notice.notify(Number(account?.id))
    await expect.poll(() => smtp.received.length).toBe(1)
    expect(await noticeAt()).not.toBeNull()

    await site.rows('update admin_users set "refusedNoticeAt" = null')
    refusals = 0
    smtp.faults.sender = () => {
      refusals += 1
      return { code: 451, text: 'later' }
    }
    notice.notify(Number(account?.id))
    await expect.poll(() => refusals).toBe(2)
    await expect.poll(noticeAt).toBeNull()
    mail.close()
  })

  test('gets no second serious notice because a mild one that was claimed before it has failed', async () => {
    const database = openDatabase(site.engine, createLog('silent'), site.addressKey)
    onTestFinished(() => database.close())
    const [account] = await site.rows<{ id: number }>('select id from admin_users')
    const attempts: string[] = []
    const notify = (urgency: 'mild' | 'serious', whileSending: () => Promise<boolean>) => {
      const send = () => {
        attempts.push(urgency)
        return whileSending()
      }
      const mail = { send, close() {}, isClosing: () => false }
      const contentOf = () => ({}) as never
      return sendDailyNotice({ database, mail }, { accountId: Number(account?.id), urgency, contentOf })
    }

    await notify('mild', async () => {
      await notify('serious', async () => true)
      return false
    })
    await notify('serious', async () => true)
    expect(attempts).toEqual(['mild', 'serious'])

    await site.rows('update admin_users set "refusedNoticeAt" = null')
    await notify('serious', async () => false)
    await notify('serious', async () => true)
    expect(attempts).toEqual(['mild', 'serious', 'serious', 'serious'])
  })
})

test('without a reachable mail server the login works as before', async () => {
  const lonely = await openTestSite({ SMTP_URL: 'smtp://127.0.0.1:1', EMAIL_FROM: 'nao-responda@example.org' })
  try {
    await lonely.rows('update admin_users set "refusedCount" = 99, "refusedSince" = now()')
    const { device } = (await (await postJson(`${lonely.url}/api/admin/login`, credentials)).json()) as {
      device: string
    }
    const wrong = { ...credentials, password: 'chute-errado' }
    expect((await postJson(`${lonely.url}/api/admin/login`, wrong)).status).toBe(401)
    await expect.poll(() => lonely.logged().join('')).toContain('notice to the owner of an account not sent')
    expect((await postJson(`${lonely.url}/api/admin/login`, { ...credentials, device })).status).toBe(200)
  } finally {
    await lonely.close()
  }
})
