// Codes of authenticator apps and recovery codes: set-up, the second step of the login, and its limits.
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '#server/core/log.ts'
import { openDatabase } from '#server/db/database.ts'
import { recoverAccount } from '#server/features/admin/password-reset.ts'
import { type Administrator, credentials, enter } from '#tests/helpers/administrator.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { type SmtpServer, startSmtp } from '#tests/helpers/smtp.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let smtp: SmtpServer
let admin: Administrator
/** The clock of the codes. */
let time = new Date('2026-11-20T12:00:00Z')
beforeAll(async () => {
  smtp = await startSmtp()
  const env = { TRUST_PROXY: '127.0.0.1', SMTP_URL: smtp.url, EMAIL_FROM: 'nao-responda@example.org' }
  site = await openTestSite(env, { periods: { now: () => time } })
  admin = await enter(site)
})
afterAll(async () => {
  await site.close()
  await smtp.stop()
})

const fulana = { username: 'fulana', email: 'fulana@example.org', password: 'senha-da-fulana-1' }
const beltrana = { username: 'beltrana', email: 'beltrana@example.org', password: 'senha-da-beltrana' }
beforeEach(async () => {
  await site.rows(`delete from admin_users where username <> 'admin'`)
  smtp.received.length = 0
  time = new Date(time.getTime() + 600_000)
})

interface Factor {
  me: Administrator
  recoveryCodes: string[]
  /** The code of the app, some steps of thirty seconds from now. */
  code(steps?: number): string
}

const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate({
    timestamp: time.getTime() + steps * 30_000,
  })

async function createAccount(account: typeof fulana): Promise<Administrator> {
  await admin.ask('POST', '/api/admin/equipe', account)
  return enter(site, account)
}

const own = '/api/admin/conta/segundo-fator'

async function turnOn(account: typeof fulana): Promise<Factor> {
  const me = await createAccount(account)
  const { secret } = await me.ask<{ secret: string }>('POST', `${own}/aplicativo`)
  const body = { code: codeOf(secret, -1) }
  const { recoveryCodes } = await me.ask<{ recoveryCodes: string[] }>('POST', `${own}/aplicativo/confirmar`, body)
  return { me, recoveryCodes, code: (steps) => codeOf(secret, steps) }
}

interface Answer {
  status: number
  token?: string
  challenge?: string
  device?: string
  code?: string
}
let addresses = 0
/** Every request comes from another address. */
async function post(path: string, body: object): Promise<Answer> {
  const address = `198.51.${++addresses % 250}.7`
  const answer = await postJson(site.url + path, body, { 'x-forwarded-for': address })
  return { status: answer.status, ...((await answer.json()) as object) }
}
const logIn = ({ username, password }: typeof fulana, device?: string) =>
  post('/api/admin/login', { username, password, ...(device && { device }) })
const challengeOf = async (account: typeof fulana) => String((await logIn(account)).challenge)
const finish = (challenge: string, code: string, device?: string) =>
  post('/api/admin/login/codigo', { challenge, code, ...(device && { device }) })

const wrongCode = { status: 401, code: 'unauthenticated' }
const expired = { status: 401, code: 'login-expired' }
const mails = async (count: number) => {
  await expect.poll(() => smtp.received.length, { timeout: 10_000 }).toBe(count)
  return (await smtp.parsed()).map(({ to, subject, text }) => ({ to: to?.[0]?.address, subject, text: text ?? '' }))
}

describe('the set-up', () => {
  test('counts only after a code, stores the secret encrypted, and shows ten recovery codes once', async () => {
    const me = await createAccount(fulana)
    const { secret, address } = await me.ask<{ secret: string; address: string }>('POST', `${own}/aplicativo`)
    expect(address).toMatch(/^otpauth:\/\/totp\/[^?]+fulana\?/)
    expect(address).toContain(secret.replaceAll(' ', ''))
    expect((await logIn(fulana)).token).toMatch(/^[\w-]{43}$/)
    expect((await me.call('POST', `${own}/aplicativo/confirmar`, { code: '000000' })).status).toBe(400)
    expect(await me.ask('GET', own)).toMatchObject({ app: false, recoveryCodes: 0, isAvailable: true })

    const body = { code: codeOf(secret).replace(/^.../, '$& ') }
    const { recoveryCodes } = await me.ask<{ recoveryCodes: string[] }>('POST', `${own}/aplicativo/confirmar`, body)

    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^([a-z2-9]{5}-){4}[a-z2-9]{5}$/)
    expect(await me.ask('GET', own)).toMatchObject({ app: true, recoveryCodes: 10 })
    const stored = JSON.stringify([
      await site.rows(`select encode(secret, 'escape') as s from admin_totp`),
      await site.rows('select * from admin_recovery_codes'),
    ])
    for (const text of [
      secret.replaceAll(' ', ''),
      ...recoveryCodes,
      ...recoveryCodes.map((c) => c.replaceAll('-', '')),
    ])
      expect(stored).not.toContain(text)
    expect(await mails(1)).toMatchObject([{ to: 'fulana@example.org', subject: 'Verificação em duas etapas ligada' }])
  })

  test('of another app replaces the first one only when it is confirmed', async () => {
    const { me, code } = await turnOn(fulana)
    const { secret } = await me.ask<{ secret: string }>('POST', `${own}/aplicativo`)
    expect(await finish(await challengeOf(fulana), codeOf(secret))).toMatchObject(wrongCode)
    expect(await finish(await challengeOf(fulana), code())).toMatchObject({ status: 200 })
    await me.ask('POST', `${own}/aplicativo/confirmar`, { code: codeOf(secret) })
    time = new Date(time.getTime() + 60_000)
    expect(await finish(await challengeOf(fulana), code())).toMatchObject(wrongCode)
    expect(await finish(await challengeOf(fulana), codeOf(secret))).toMatchObject({ status: 200 })
  })

  test('is not offered without DATA_KEY', async () => {
    const keyless = await openTestSite({ DATA_KEY: '' })
    try {
      const me = await enter(keyless)
      expect(await me.ask('GET', own)).toMatchObject({ isAvailable: false })
      const answer = await me.call('POST', `${own}/aplicativo`)
      expect(answer.status).toBe(409)
      expect(await answer.json()).toMatchObject({ message: expect.stringContaining('DATA_KEY') })
    } finally {
      await keyless.close()
    }
  })
})

describe('the login of an account with a second factor', () => {
  test('answers the password without a token, and the code with one', async () => {
    const { code } = await turnOn(fulana)
    const first = await logIn(fulana)
    expect(first).toEqual({
      ...{ status: 200, success: true, message: 'Agora digite o código do seu aplicativo.', app: true },
      challenge: expect.stringMatching(/^[\w-]{43}$/),
    })
    const asToken = await fetch(`${site.url}/api/admin/sessao`, {
      headers: { authorization: `Bearer ${first.challenge}` },
    })
    expect(asToken.status).toBe(401)
    const stored = JSON.stringify(await site.rows('select * from admin_challenges'))
    expect(stored).not.toContain(first.challenge)

    const second = await finish(String(first.challenge), code())

    expect(second).toMatchObject({ status: 200, device: expect.any(String) })
    const session = await fetch(`${site.url}/api/admin/sessao`, {
      headers: { authorization: `Bearer ${second.token}` },
    })
    expect(await session.json()).toEqual({ success: true, username: 'fulana', role: 'coordenacao' })
    expect(await logIn({ ...fulana, password: 'senha-errada-1' })).toMatchObject({ status: 401 })
  })

  test('accepts the code before and the one after, and none that is older or newer', async () => {
    const { code } = await turnOn(fulana)
    time = new Date(time.getTime() + 300_000)
    for (const steps of [-2, 2]) expect(await finish(await challengeOf(fulana), code(steps))).toMatchObject(wrongCode)
    for (const steps of [-1, 0, 1])
      expect(await finish(await challengeOf(fulana), code(steps))).toMatchObject({ status: 200 })
  })

  test('accepts a code once, also not an older one after a newer, and not the one of the set-up', async () => {
    const { code } = await turnOn(fulana)
    expect(await finish(await challengeOf(fulana), code(-1))).toMatchObject(wrongCode)
    expect(await finish(await challengeOf(fulana), code(1))).toMatchObject({ status: 200 })
    for (const steps of [1, 0]) expect(await finish(await challengeOf(fulana), code(steps))).toMatchObject(wrongCode)
  })

  test('of two with the same code at the same time, one succeeds', async () => {
    const { code } = await turnOn(fulana)
    const challenges = [await challengeOf(fulana), await challengeOf(fulana)]
    const answers = await Promise.all(challenges.map((challenge) => finish(challenge, code())))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    expect(
      await site.rows(
        `select 1 from admin_sessions s join admin_users u on u.id = s."adminUserId" where username = 'fulana'`,
      ),
    ).toHaveLength(2)
  })

  test('does not accept codes or challenges of another account', async () => {
    const one = await turnOn(fulana)
    const other = await turnOn(beltrana)
    expect(await finish(await challengeOf(fulana), other.code())).toMatchObject(wrongCode)
    expect(await finish(await challengeOf(fulana), String(other.recoveryCodes[0]))).toMatchObject(wrongCode)
    expect(await finish(await challengeOf(beltrana), one.code())).toMatchObject(wrongCode)
    expect(await finish('A'.repeat(43), one.code())).toMatchObject(expired)
    expect(await finish(await challengeOf(fulana), one.code())).toMatchObject({ status: 200 })
  })

  test('uses each challenge once, for five minutes and five codes', async () => {
    const { code } = await turnOn(fulana)
    const used = await challengeOf(fulana)
    await finish(used, code())
    expect(await finish(used, code(1))).toMatchObject(expired)

    const old = await challengeOf(fulana)
    await site.rows(`update admin_challenges set "createdAt" = now() - interval '5 minutes'`)
    expect(await finish(old, code(1))).toMatchObject(expired)

    const guessed = await challengeOf(fulana)
    for (let tries = 0; tries < 5; tries++) expect(await finish(guessed, '000000')).toMatchObject(wrongCode)
    expect(await finish(guessed, code(1))).toMatchObject(expired)
    expect(await finish(await challengeOf(fulana), code(1))).toMatchObject({ status: 200 })
  }, 60_000)

  test('ends with the account, and with a new password', async () => {
    const { me, code } = await turnOn(fulana)
    const [{ id } = { id: 0 }] = await site.rows<{ id: number }>(`select id from admin_users where username = 'fulana'`)
    const started = await challengeOf(fulana)
    await admin.ask('POST', `/api/admin/equipe/${id}/desativar`)
    expect(await finish(started, code())).toMatchObject(expired)
    await admin.ask('POST', `/api/admin/equipe/${id}/ativar`)
    expect(await finish(started, code())).toMatchObject(expired)
    expect((await me.call('GET', '/api/admin/sessao')).status).toBe(401)

    const again = await challengeOf(fulana)
    const { password } = await admin.ask<{ password: string }>('POST', `/api/admin/equipe/${id}/senha`)
    expect(await finish(again, code())).toMatchObject(expired)
    expect(await finish(await challengeOf({ ...fulana, password }), code())).toMatchObject({
      ...{ status: 200, mustChangePassword: true },
    })
  })

  test('after a hundred refused codes refuses the right one like a wrong one, tells the owner, and accepts known devices', async () => {
    const { code } = await turnOn(fulana)
    const { device } = await finish(await challengeOf(fulana), code(-0))
    await mails(1)
    const challenge = await challengeOf(fulana)
    await site.rows(`update admin_users set "refusedCount" = 99, "refusedSince" = now() where username = 'fulana'`)
    expect(await finish(challenge, '000000')).toMatchObject(wrongCode)
    expect(await finish(challenge, code(1))).toMatchObject(wrongCode)
    const [, notice] = await mails(2)
    expect(notice).toMatchObject({ to: 'fulana@example.org', subject: 'Alguém sabe a sua senha da administração' })
    const known = await logIn(fulana, device)
    expect(await finish(String(known.challenge), code(1), device)).toMatchObject({ status: 200, device })
  }, 30_000)

  test('tells the owner of an account with refused codes once a day, also after refused passwords', async () => {
    await turnOn(fulana)
    await mails(1)
    const reachLimit = async (tryIt: () => Promise<Answer>, noticeAge: string) => {
      await site.rows(
        `update admin_users set "refusedCount" = 99, "refusedSince" = now(),
          "refusedNoticeAt" = "refusedNoticeAt" - $1::interval where username = 'fulana'`,
        [noticeAge],
      )
      expect((await tryIt()).status).toBe(401)
    }
    const challenge = await challengeOf(fulana)
    const wrongPassword = () => logIn({ ...fulana, password: 'senha-errada-1' })
    const wrongProof = () => finish(challenge, '000000')
    const passwordsRefused = 'Muitas senhas erradas na sua conta de administração'
    const codesRefused = 'Alguém sabe a sua senha da administração'

    await reachLimit(wrongPassword, '0')
    expect((await mails(2))[1]?.subject).toBe(passwordsRefused)
    await reachLimit(wrongProof, '0')
    expect((await mails(3))[2]?.subject).toBe(codesRefused)
    await reachLimit(wrongPassword, '1 hour')
    await reachLimit(wrongProof, '22 hours')
    await reachLimit(wrongProof, '2 hours')
    // The notices in between would have been sent before this one.
    expect((await mails(4))[3]?.subject).toBe(codesRefused)
    await reachLimit(wrongPassword, '49 hours')
    expect((await mails(5))[4]?.subject).toBe(passwordsRefused)
  }, 60_000)

  test('counts no guess when a code cannot be checked', async () => {
    const { code } = await turnOn(fulana)
    const { device } = await finish(await challengeOf(fulana), code(-0))
    await site.rows(`update admin_totp set secret = 'unreadable'`)
    const guesses = () => site.rows(`select "refusedCount" as n from admin_users where username = 'fulana'`)
    for (const given of [undefined, device]) {
      expect(await finish(await challengeOf(fulana), '000000', given)).toMatchObject({ status: 503 })
      expect(await guesses()).toEqual([{ n: 0 }])
    }
    // At the limit none is reserved, so none is returned.
    const challenge = await challengeOf(fulana)
    await site.rows(`update admin_users set "refusedCount" = 100, "refusedSince" = now() where username = 'fulana'`)
    expect((await finish(challenge, '000000')).status).toBe(401)
    expect(await guesses()).toEqual([{ n: 100 }])
  })

  test('counts wrong codes in the limit of the account and in the audit log', async () => {
    await turnOn(fulana)
    const challenge = await challengeOf(fulana)
    for (let tries = 0; tries < 2; tries++) await finish(challenge, '000000')
    expect(await site.rows(`select "refusedCount" as n from admin_users where username = 'fulana'`)).toEqual([{ n: 2 }])
    const { deeds } = await admin.ask<{ deeds: object[] }>(
      'GET',
      '/api/admin/registro?tipo=C%C3%B3digo%20de%20verifica%C3%A7%C3%A3o%20recusado%20no%20login',
    )
    expect(deeds[0]).toMatchObject({ username: 'fulana', subject: '2 vezes' })
  })
})

describe('a recovery code', () => {
  test('works once instead of the code of the app, is in the audit log, and the owner is told', async () => {
    const { recoveryCodes, me } = await turnOn(fulana)
    const [one = '', other = ''] = recoveryCodes
    await mails(1)
    expect(await finish(await challengeOf(fulana), one.toUpperCase())).toMatchObject({ status: 200 })
    expect(await finish(await challengeOf(fulana), one)).toMatchObject(wrongCode)
    const challenges = [await challengeOf(fulana), await challengeOf(fulana)]
    const answers = await Promise.all(challenges.map((challenge) => finish(challenge, other)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    expect(await me.ask('GET', own)).toMatchObject({ recoveryCodes: 8 })
    const [, notice] = await mails(3)
    expect(notice?.subject).toBe('Um código de recuperação da sua conta foi usado')
    expect(notice?.text).toContain('Ainda restam 9 códigos.')
    expect(
      await site.rows(
        `select target from admin_actions where username = 'fulana' and action = 'Entrou' order by id desc limit 1`,
      ),
    ).toEqual([{ target: 'com código de recuperação' }])
  })

  test('of an earlier set does not work after new ones were made', async () => {
    const { me, recoveryCodes } = await turnOn(fulana)
    expect((await me.call('POST', `${own}/recuperacao`, { ownPassword: 'errada-errada' })).status).toBe(400)
    const renewed = await me.ask<{ recoveryCodes: string[] }>('POST', `${own}/recuperacao`, {
      ownPassword: fulana.password,
    })
    expect(await finish(await challengeOf(fulana), String(recoveryCodes[0]))).toMatchObject(wrongCode)
    expect(await finish(await challengeOf(fulana), String(renewed.recoveryCodes[0]))).toMatchObject({ status: 200 })
  })
})

describe('a second factor', () => {
  test('is turned off with the password, and then the password is enough', async () => {
    const { me } = await turnOn(fulana)
    const started = await challengeOf(fulana)
    expect((await me.call('POST', `${own}/aplicativo/desligar`, { ownPassword: 'errada-errada' })).status).toBe(400)
    expect((await logIn(fulana)).challenge).toBeDefined()
    await me.ask('POST', `${own}/aplicativo/desligar`, { ownPassword: fulana.password })
    expect((await logIn(fulana)).token).toBeDefined()
    expect(await site.rows('select 1 from admin_recovery_codes union all select 1 from admin_totp')).toEqual([])
    expect(await finish(started, '000000')).toMatchObject(expired)
  })

  test('is removed by a colleague, in the audit log, and the owner is told; nobody removes the own one so', async () => {
    const { me } = await turnOn(fulana)
    await mails(1)
    const [{ id } = { id: 0 }] = await site.rows<{ id: number }>(`select id from admin_users where username = 'fulana'`)
    expect((await me.call('POST', `/api/admin/equipe/${id}/segundo-fator`)).status).toBe(409)
    await admin.ask('POST', `/api/admin/equipe/${id}/segundo-fator`)
    expect((await logIn(fulana)).token).toBeDefined()
    expect((await admin.call('POST', `/api/admin/equipe/${id}/segundo-fator`)).status).toBe(409)
    expect((await admin.call('POST', '/api/admin/equipe/999999/segundo-fator')).status).toBe(404)
    const [, notice] = await mails(2)
    expect(notice?.subject).toBe('A verificação em duas etapas da sua conta foi retirada')
    expect(notice?.text).toContain('por admin')
    expect(
      await site.rows(
        `select username, target from admin_actions where action = 'Retirou a verificação em duas etapas de administrador' order by id desc limit 1`,
      ),
    ).toEqual([{ username: 'admin', target: 'fulana' }])
  })

  test('stays after a new password of the operator, unless the operator removes it', async () => {
    await turnOn(fulana)
    const database = openDatabase(site.engine, createLog('silent'), site.addressKey)
    try {
      const kept = await recoverAccount(database, 'fulana')
      expect(kept?.secondFactor).toBe('kept')
      expect((await logIn({ ...fulana, password: String(kept?.password) })).challenge).toBeDefined()
      const removed = await recoverAccount(database, 'fulana', { removesSecondFactor: true })
      expect(removed?.secondFactor).toBe('removed')
      expect((await logIn({ ...fulana, password: String(removed?.password) })).token).toBeDefined()
      expect((await recoverAccount(database, 'fulana'))?.secondFactor).toBe('none')
    } finally {
      await database.close()
    }
    expect(
      await site.rows(
        `select action from admin_actions where username = 'operador (terminal)' and action like 'Retirou%'`,
      ),
    ).toHaveLength(1)
  })

  test('is asked for when the password is confirmed for a sensitive call', async () => {
    const { me, code } = await turnOn(fulana)
    await site.rows(`update admin_sessions set "createdAt" = now() - interval '11 minutes'`)
    admin = await enter(site)
    const confirm = (body: object) => me.call('POST', '/api/admin/conta/confirmar', body)
    const secret = async () => (await me.call('GET', '/api/admin/botconversa/webhook/token')).status
    for (const body of [{ ownPassword: fulana.password }, { ownPassword: fulana.password, ownCode: '000000' }]) {
      const answer = await confirm(body)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ errors: { ownCode: expect.any(String) } })
      expect(await secret()).toBe(403)
    }
    expect((await confirm({ ownPassword: 'errada-errada', ownCode: code() })).status).toBe(400)
    expect((await confirm({ ownPassword: fulana.password, ownCode: code() })).status).toBe(200)
    expect(await secret()).not.toBe(403)
    expect((await confirm({ ownPassword: fulana.password, ownCode: code() })).status).toBe(400)
  })
})

describe('where the site requires a second factor', () => {
  let strict: TestSite
  beforeAll(async () => {
    strict = await openTestSite({ SECOND_FACTOR: 'required' }, { periods: { now: () => time } })
  })
  afterAll(() => strict.close())

  test('an account without one can set it up or leave, and nothing else until then', async () => {
    const reply = await (await postJson(`${strict.url}/api/admin/login`, credentials)).json()
    expect(reply).toMatchObject({ success: true, mustAddFactor: true })
    const me = await enter(strict)
    expect(await me.ask('GET', '/api/admin/sessao')).toEqual({
      ...{ success: true, username: 'admin', role: 'coordenacao', mustAddFactor: true },
    })
    const allowed = ['/sessao', '/logout', '/conta/senha', '/conta/confirmar', '/conta/confirmar/chave']
    const routes = strict.app.policies.filter(
      ({ method, url, access }) => access === 'administrator' && method !== 'HEAD' && url.startsWith('/api/admin'),
    )
    expect(routes.length).toBeGreaterThan(50)
    for (const { method, url } of routes) {
      if (allowed.some((path) => url === `/api/admin${path}`)) continue
      if ([own, `${own}/chaves`, `${own}/chaves/opcoes`].includes(url) || url.startsWith(`${own}/aplicativo`)) continue
      const answer = await me.call(method, url.replace(/:\w+/g, '1'), method === 'GET' ? undefined : {})
      const { code } = (await answer.json()) as { code: string }
      expect([answer.status, code], `${method} ${url}`).toEqual([403, 'second-factor-required'])
    }

    const { secret } = await me.ask<{ secret: string }>('POST', `${own}/aplicativo`)
    await me.ask('POST', `${own}/aplicativo/confirmar`, { code: codeOf(secret) })

    expect((await me.call('GET', '/api/admin/equipe')).status).toBe(200)
    const off = await me.call('POST', `${own}/aplicativo/desligar`, { ownPassword: credentials.password })
    expect(off.status).toBe(409)
    expect(await me.ask('GET', own)).toMatchObject({ app: true, isRequired: true })
  })
})

test('an account without a second factor logs in as before', async () => {
  expect(await logIn({ ...credentials, email: '' })).toEqual({
    ...{ status: 200, success: true, message: 'Login realizado com sucesso!' },
    ...{ token: expect.any(String), device: expect.any(String) },
  })
})
