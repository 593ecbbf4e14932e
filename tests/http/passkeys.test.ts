// Passkeys: registration, the second step of the login, the recent login, and what ends them.
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PasskeyCreation, PasskeyRequest } from '#contract/admin/passkeys.ts'
import { createLog } from '#server/core/log.ts'
import { openDatabase } from '#server/db/database.ts'
import { recoverAccount } from '#server/features/admin/password-reset.ts'
import { type Administrator, credentials, enter } from '#tests/helpers/administrator.ts'
import { createPasskey, type SoftwarePasskey } from '#tests/helpers/authenticator.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { type SmtpServer, startSmtp } from '#tests/helpers/smtp.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

const origin = 'https://mobiliza.example.org'
const rpId = 'mobiliza.example.org'
let site: TestSite
let smtp: SmtpServer
let admin: Administrator
beforeAll(async () => {
  smtp = await startSmtp()
  const env = { TRUST_PROXY: '127.0.0.1', SMTP_URL: smtp.url, EMAIL_FROM: 'nao-responda@example.org', DATA_KEY: '' }
  site = await openTestSite(env)
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
  // Ids of passkeys and accounts differ, so that no query can mistake one for the other.
  await site.rows(`select setval(pg_get_serial_sequence('admin_passkeys', 'id'), 1000000 + (random() * 1e6)::int)`)
  smtp.received.length = 0
})

const own = '/api/admin/conta/segundo-fator'
const keys = `${own}/chaves`

async function createAccount(account: typeof fulana): Promise<Administrator> {
  await admin.ask('POST', '/api/admin/equipe', account)
  return enter(site, account)
}

const optionsOf = async ({ ask }: Administrator) =>
  (await ask<{ options: PasskeyCreation }>('POST', `${keys}/opcoes`)).options

interface Added {
  passkey: SoftwarePasskey
  recoveryCodes: string[]
}
async function add(me: Administrator, nome = 'Celular'): Promise<Added> {
  const { challenge } = await optionsOf(me)
  const passkey = createPasskey({ origin })
  const body = { nome, challenge, passkey: passkey.register({ challenge }) }
  const { recoveryCodes } = await me.ask<{ recoveryCodes: string[] }>('POST', keys, body)
  return { passkey, recoveryCodes }
}

async function createWithPasskey(account: typeof fulana) {
  const me = await createAccount(account)
  return { me, ...(await add(me)) }
}

interface Answer {
  status: number
  token?: string
  challenge?: string
  device?: string
  code?: string
  message?: string
  app?: boolean
  passkey?: PasskeyRequest
}
let addresses = 0
/** Every request comes from another address. */
async function post(path: string, body: object): Promise<Answer> {
  const address = `198.51.${++addresses % 250}.8`
  const answer = await postJson(site.url + path, body, { 'x-forwarded-for': address })
  return { status: answer.status, ...((await answer.json()) as object) }
}
const logIn = ({ username, password }: typeof fulana, device?: string) =>
  post('/api/admin/login', { username, password, ...(device && { device }) })
const challengeOf = async (account: typeof fulana) => String((await logIn(account)).challenge)
const finish = (challenge: string, passkey: object, device?: string) =>
  post('/api/admin/login/chave', { challenge, passkey, ...(device && { device }) })
const finishWithCode = (challenge: string, code: string) => post('/api/admin/login/codigo', { challenge, code })

const refused = { status: 401, code: 'unauthenticated' }
const expired = { status: 401, code: 'login-expired' }
interface Listed {
  app: boolean
  recoveryCodes: number
  passkeys: { id: number; name: string; createdAt: string; lastUsedAt: string | null }[]
}
const stateOf = ({ ask }: Administrator) => ask<Listed>('GET', own)
const idOf = async (me: Administrator) => (await stateOf(me)).passkeys[0]?.id
const mails = async (count: number) => {
  await expect.poll(() => smtp.received.length, { timeout: 10_000 }).toBe(count)
  return (await smtp.parsed()).map(({ to, subject, text }) => ({ to: to?.[0]?.address, subject, text: text ?? '' }))
}
const auditOf = async (username: string) =>
  (
    await site.rows<{ entry: string }>(
      `select action || ': ' || target as entry from admin_actions where username = $1 order by id`,
      [username],
    )
  ).map(({ entry }) => entry)

describe('adding a passkey', () => {
  test('works without DATA_KEY, shows ten recovery codes with the first one, and tells the owner', async () => {
    const me = await createAccount(fulana)
    const options = await optionsOf(me)
    expect(options).toMatchObject({
      ...{ rp: { id: rpId }, attestation: 'none', excludeCredentials: [] },
      user: { name: 'fulana' },
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    })
    expect(options.challenge).toMatch(/^[\w-]{43}$/)
    const passkey = createPasskey({ origin })
    const { challenge } = options
    const body = { nome: ' Celular   azul ', challenge, passkey: passkey.register({ challenge }) }

    const { recoveryCodes } = await me.ask<{ recoveryCodes: string[] }>('POST', keys, body)

    expect(new Set(recoveryCodes).size).toBe(10)
    const { passkeys, ...state } = await stateOf(me)
    expect(state).toMatchObject({ app: false, isAvailable: false, arePasskeysAvailable: true, recoveryCodes: 10 })
    expect(passkeys).toEqual([
      { id: expect.any(Number), name: 'Celular azul', createdAt: expect.any(String), lastUsedAt: null },
    ])
    expect(await mails(1)).toMatchObject([{ to: 'fulana@example.org', subject: 'Chave de acesso nova na sua conta' }])
    expect(await auditOf('fulana')).toContain('Adicionou uma chave de acesso: Celular azul')
    expect((await admin.ask<{ members: object[] }>('GET', '/api/admin/equipe')).members).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ username: 'admin', hasSecondFactor: false }),
        expect.objectContaining({ username: 'fulana', hasSecondFactor: true }),
      ]),
    )
  })

  test('again keeps the recovery codes, and the browser is told which ones exist', async () => {
    const { me, passkey, recoveryCodes } = await createWithPasskey(fulana)
    expect((await optionsOf(me)).excludeCredentials).toEqual([
      { id: passkey.id, type: 'public-key', transports: ['internal'] },
    ])
    const second = await add(me, 'Chave do escritório')
    expect(second.recoveryCodes).toEqual([])
    expect((await stateOf(me)).passkeys.map(({ name }) => name)).toEqual(['Celular', 'Chave do escritório'])
    expect(await finishWithCode(await challengeOf(fulana), String(recoveryCodes[0]))).toMatchObject({ status: 200 })
    for (const each of [passkey, second.passkey]) {
      const challenge = await challengeOf(fulana)
      expect(await finish(challenge, each.sign({ challenge }))).toMatchObject({ status: 200 })
    }
  })

  test('is refused for another origin, site, kind or challenge, and each challenge is accepted once', async () => {
    const me = await createAccount(fulana)
    const send = (challenge: string, answer: object) =>
      me.call('POST', keys, { nome: 'x', challenge, passkey: createPasskey({ origin }).register(answer as never) })
    for (const wrong of [
      { origin: 'https://mobiliza.example.org.falso.example' },
      { rpId: 'falso.example' },
      { type: 'webauthn.get' },
      { challenge: 'A'.repeat(43) },
      { flags: 4 },
    ]) {
      const { challenge } = await optionsOf(me)
      expect((await send(challenge, { challenge, ...wrong })).status, JSON.stringify(wrong)).toBe(400)
      // A refused answer uses the challenge up.
      expect((await send(challenge, { challenge })).status).toBe(400)
    }
    const invented = 'B'.repeat(43)
    expect((await send(invented, { challenge: invented })).status).toBe(400)
    const { challenge: used } = await optionsOf(me)
    expect((await send(used, { challenge: used })).status).toBe(201)
    expect((await send(used, { challenge: used })).status).toBe(400)
    const { challenge: old } = await optionsOf(me)
    await site.rows(`update admin_challenges set "createdAt" = now() - interval '5 minutes'`)
    expect((await send(old, { challenge: old })).status).toBe(400)
    expect((await stateOf(me)).passkeys).toHaveLength(1)
  })

  test('is refused with the challenge of a login, of a confirmation or of another account', async () => {
    const { me } = await createWithPasskey(fulana)
    const other = await createAccount(beltrana)
    const confirmation = await me.ask<{ options: PasskeyRequest }>('POST', '/api/admin/conta/confirmar/chave')
    const foreign = [await challengeOf(fulana), confirmation.options.challenge, (await optionsOf(other)).challenge]
    for (const challenge of foreign) {
      const passkey = createPasskey({ origin }).register({ challenge })
      expect((await me.call('POST', keys, { nome: 'x', challenge, passkey })).status).toBe(400)
    }
  })

  test('that another account has is refused', async () => {
    const { passkey } = await createWithPasskey(fulana)
    const other = await createAccount(beltrana)
    const { challenge } = await optionsOf(other)
    const answer = await other.call('POST', keys, { nome: 'x', challenge, passkey: passkey.register({ challenge }) })
    expect(answer.status).toBe(409)
    expect((await logIn(beltrana)).token).toBeDefined()
  })

  test('is refused with 4xx for malformed answers', async () => {
    const me = await createAccount(fulana)
    const broken: ((registration: ReturnType<SoftwarePasskey['register']>) => unknown)[] = [
      () => null,
      () => 'x',
      () => ({}),
      (given) => ({ ...given, id: '' }),
      (given) => ({ ...given, rawId: 'outra' }),
      (given) => ({ ...given, type: 'password' }),
      (given) => ({ ...given, response: { ...given.response, clientDataJSON: 'bm90IGpzb24' } }),
      (given) => ({ ...given, response: { ...given.response, clientDataJSON: 'bnVsbA' } }),
      (given) => ({ ...given, response: { ...given.response, attestationObject: '_w' } }),
      (given) => ({ ...given, response: { ...given.response, attestationObject: 'oA' } }),
      (given) => ({ ...given, response: { ...given.response, attestationObject: 'm'.repeat(20_000) } }),
      (given) => ({ ...given, response: { ...given.response, attestationObject: '\ud800' } }),
      (given) => ({ ...given, response: { ...given.response, transports: 'usb' } }),
    ]
    for (const change of broken) {
      const { challenge } = await optionsOf(me)
      const passkey = change(createPasskey({ origin }).register({ challenge }))
      const answer = await me.call('POST', keys, { nome: 'x', challenge, passkey })
      expect(answer.status, String(change)).toBe(400)
      expect(await answer.json()).toMatchObject({ success: false, message: expect.stringMatching(/chave de acesso/) })
    }
    const { challenge } = await optionsOf(me)
    const passkey = createPasskey({ origin }).register({ challenge })
    const nameless = await me.call('POST', keys, { nome: '  ', challenge, passkey })
    expect(await nameless.json()).toMatchObject({ errors: { nome: expect.stringContaining('nome') } })
  })

  test('ends at twenty', async () => {
    const { me } = await createWithPasskey(fulana)
    await site.rows(
      `insert into admin_passkeys ("adminUserId", "credentialId", "publicKey", counter, name)
      select "adminUserId", 'n' || n, '', 0, 'n' from admin_passkeys, generate_series(2, 20) n`,
    )
    const { challenge } = await optionsOf(me)
    const passkey = createPasskey({ origin }).register({ challenge })
    expect((await me.call('POST', keys, { nome: 'x', challenge, passkey })).status).toBe(409)
  })

  test.each(['http://mobiliza.example.org', 'https://203.0.113.5', 'https://[2001:db8::1]'])(
    'is not offered at %s, and a stored passkey is not asked for there',
    async (PUBLIC_URL) => {
      const elsewhere = await openTestSite({ PUBLIC_URL })
      try {
        const me = await enter(elsewhere)
        expect(await stateOf(me)).toMatchObject({ arePasskeysAvailable: false })
        const answer = await me.call('POST', `${keys}/opcoes`)
        expect(answer.status).toBe(409)
        expect(await answer.json()).toMatchObject({ message: expect.stringContaining('https') })
        await elsewhere.rows(
          `insert into admin_passkeys ("adminUserId", "credentialId", "publicKey", counter, name) select id, 'x', '', 0, 'x' from admin_users`,
        )
        const started = (await (await postJson(`${elsewhere.url}/api/admin/login`, credentials)).json()) as Answer
        expect(started).toMatchObject({ challenge: expect.any(String), app: false })
        expect(started.passkey).toBeUndefined()
      } finally {
        await elsewhere.close()
      }
    },
  )
})

describe('the login of an account with a passkey', () => {
  test('answers the password with a request for it, and its signature with a token', async () => {
    const { me, passkey } = await createWithPasskey(fulana)
    const first = await logIn(fulana)
    expect(first).toEqual({
      ...{ status: 200, success: true, message: 'Agora use a sua chave de acesso.', app: false },
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      passkey: {
        ...{ challenge: first.challenge, rpId, timeout: 300_000, userVerification: 'preferred' },
        allowCredentials: [{ id: passkey.id, type: 'public-key', transports: ['internal'] }],
      },
    })
    const challenge = String(first.challenge)

    const second = await finish(challenge, passkey.sign({ challenge }))

    expect(second).toMatchObject({ status: 200, device: expect.any(String) })
    const session = await fetch(`${site.url}/api/admin/sessao`, {
      headers: { authorization: `Bearer ${second.token}` },
    })
    expect(await session.json()).toMatchObject({ success: true, username: 'fulana' })
    expect((await stateOf(me)).passkeys[0]?.lastUsedAt).not.toBeNull()
    expect(await site.rows('select counter::int from admin_passkeys')).toEqual([{ counter: 1 }])
  })

  test('accepts each signature and each challenge once', async () => {
    const { passkey } = await createWithPasskey(fulana)
    // Without a counter, as passkeys that are synchronized.
    const challenge = await challengeOf(fulana)
    const signed = passkey.sign({ challenge, counter: 0 })
    expect(await finish(challenge, signed)).toMatchObject({ status: 200 })
    expect(await finish(challenge, signed)).toMatchObject(expired)
    const next = await challengeOf(fulana)
    expect(await finish(next, signed)).toMatchObject(refused)

    const signedNext = passkey.sign({ challenge: next, counter: 0 })
    const answers = await Promise.all([finish(next, signedNext), finish(next, signedNext)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])

    const old = await challengeOf(fulana)
    await site.rows(`update admin_challenges set "createdAt" = now() - interval '5 minutes'`)
    expect(await finish(old, passkey.sign({ challenge: old }))).toMatchObject(expired)
  })

  test('is refused for another origin, site, kind or challenge, without presence, and with a false signature', async () => {
    const { passkey } = await createWithPasskey(fulana)
    for (const wrong of [
      { origin: 'https://falso.example' },
      { origin: 'http://mobiliza.example.org' },
      { rpId: 'falso.example' },
      { type: 'webauthn.create' },
      { challenge: 'A'.repeat(43) },
      { flags: 4 },
    ]) {
      const challenge = await challengeOf(fulana)
      expect(await finish(challenge, passkey.sign({ challenge, ...wrong })), JSON.stringify(wrong)).toMatchObject(
        refused,
      )
    }
    const challenge = await challengeOf(fulana)
    const signed = passkey.sign({ challenge })
    const other = createPasskey({ origin }).sign({ challenge })
    const forged = { ...signed, response: { ...signed.response, signature: other.response.signature } }
    expect(await finish(challenge, forged)).toMatchObject(refused)
    expect(await finish(challenge, other)).toMatchObject(refused)
    // User verification is not required: the password came first.
    expect(await finish(challenge, passkey.sign({ challenge, flags: 1 }))).toMatchObject({ status: 200 })
  }, 60_000)

  test('is refused if the counter does not grow, unless the authenticator has none', async () => {
    const { passkey } = await createWithPasskey(fulana)
    const attempt = async (counter: number) => {
      const challenge = await challengeOf(fulana)
      return (await finish(challenge, passkey.sign({ challenge, counter }))).status
    }
    expect(await attempt(0)).toBe(200)
    expect(await attempt(0)).toBe(200)
    expect(await attempt(7)).toBe(200)
    for (const counter of [7, 6, 0]) expect(await attempt(counter)).toBe(401)
    expect(await attempt(8)).toBe(200)
  })

  test('is refused with the passkey or the challenge of another account', async () => {
    const one = await createWithPasskey(fulana)
    const other = await createWithPasskey(beltrana)
    const challenge = await challengeOf(fulana)
    expect(await finish(challenge, other.passkey.sign({ challenge }))).toMatchObject(refused)
    // Not even under the id of the own one.
    const renamed = { ...other.passkey.sign({ challenge }), id: one.passkey.id, rawId: one.passkey.id }
    expect(await finish(challenge, renamed)).toMatchObject(refused)
    const foreign = await challengeOf(beltrana)
    expect(await finish(foreign, one.passkey.sign({ challenge: foreign }))).toMatchObject(refused)
    expect(await finish(challenge, one.passkey.sign({ challenge }))).toMatchObject({ status: 200 })
  })

  test('is not finished with the challenge of a confirmation or of a set-up', async () => {
    const { me, passkey, recoveryCodes } = await createWithPasskey(fulana)
    const confirmation = await me.ask<{ options: PasskeyRequest }>('POST', '/api/admin/conta/confirmar/chave')
    for (const challenge of [confirmation.options.challenge, (await optionsOf(me)).challenge]) {
      expect(await finish(challenge, passkey.sign({ challenge }))).toMatchObject(expired)
      expect(await finishWithCode(challenge, String(recoveryCodes[0]))).toMatchObject(expired)
    }
  })

  test('counts refused signatures like wrong codes: five a login, a hundred an hour, in the audit log', async () => {
    const { passkey } = await createWithPasskey(fulana)
    const good = await challengeOf(fulana)
    const { device } = await finish(good, passkey.sign({ challenge: good }))
    await mails(1)
    const wrong = (challenge: string) => passkey.sign({ challenge, origin: 'https://falso.example' })
    const guessed = await challengeOf(fulana)
    for (let tries = 0; tries < 5; tries++) expect(await finish(guessed, wrong(guessed))).toMatchObject(refused)
    expect(await finish(guessed, passkey.sign({ challenge: guessed }))).toMatchObject(expired)
    expect(await site.rows(`select "refusedCount" as n from admin_users where username = 'fulana'`)).toEqual([{ n: 5 }])
    const { deeds } = await admin.ask<{ deeds: object[] }>(
      'GET',
      '/api/admin/registro?tipo=C%C3%B3digo%20de%20verifica%C3%A7%C3%A3o%20recusado%20no%20login',
    )
    expect(deeds[0]).toMatchObject({ username: 'fulana', subject: '5 vezes' })

    const challenge = await challengeOf(fulana)
    await site.rows(`update admin_users set "refusedCount" = 99, "refusedSince" = now() where username = 'fulana'`)
    expect(await finish(challenge, wrong(challenge))).toMatchObject(refused)
    expect(await finish(challenge, passkey.sign({ challenge }))).toMatchObject(refused)
    const [, notice] = await mails(2)
    expect(notice).toMatchObject({ to: 'fulana@example.org', subject: 'Alguém sabe a sua senha da administração' })
    const known = String((await logIn(fulana, device)).challenge)
    expect(await finish(known, passkey.sign({ challenge: known }), device)).toMatchObject({ status: 200, device })
  }, 60_000)

  test('accepts a recovery code once, and the owner is told', async () => {
    const { recoveryCodes } = await createWithPasskey(fulana)
    const [code = ''] = recoveryCodes
    await mails(1)
    expect(await finishWithCode(await challengeOf(fulana), code)).toMatchObject({ status: 200 })
    expect(await finishWithCode(await challengeOf(fulana), code)).toMatchObject(refused)
    expect(await finishWithCode(await challengeOf(fulana), '000000')).toMatchObject(refused)
    expect((await mails(2))[1]?.subject).toBe('Um código de recuperação da sua conta foi usado')
    expect((await auditOf('fulana')).at(-1)).toBe('Entrou: com código de recuperação')
  })

  test('refuses malformed answers with 400', async () => {
    const { passkey } = await createWithPasskey(fulana)
    const challenge = await challengeOf(fulana)
    const signed = passkey.sign({ challenge })
    for (const broken of [
      null,
      [],
      { ...signed, id: '' },
      { ...signed, id: 'x'.repeat(2_000) },
      { ...signed, type: 'x' },
      { ...signed, response: {} },
      { ...signed, response: { ...signed.response, signature: '\u0000' } },
    ])
      expect(await finish(challenge, broken as object), JSON.stringify(broken)).toMatchObject({ status: 400 })
    for (const field of ['clientDataJSON', 'authenticatorData', 'signature'] as const) {
      const response = { ...signed.response, [field]: 'AAAA' }
      expect(await finish(challenge, { ...signed, response }), field).toMatchObject(refused)
    }
    expect(await finish(challenge, signed)).toMatchObject({ status: 200 })
  })
})

describe('the recent login', () => {
  const age = () =>
    site.rows(
      `update admin_sessions set "createdAt" = now() - interval '11 minutes', "verifiedAt" = null
      where "adminUserId" in (select id from admin_users where username = 'fulana')`,
    )
  const isRecent = async (me: Administrator) => (await me.call('POST', `${keys}/opcoes`)).status === 200
  const confirm = (me: Administrator, body: object) => me.call('POST', '/api/admin/conta/confirmar', body)
  const challengeFor = async ({ ask }: Administrator) =>
    (await ask<{ options: PasskeyRequest }>('POST', '/api/admin/conta/confirmar/chave')).options.challenge

  test('is confirmed with the password and a passkey', async () => {
    const { me, passkey } = await createWithPasskey(fulana)
    await age()
    const ownPassword = fulana.password
    const withoutFactor = await confirm(me, { ownPassword })
    expect(withoutFactor.status).toBe(400)
    expect(await withoutFactor.json()).toMatchObject({
      errors: { ownCode: expect.stringContaining('chave de acesso') },
    })

    const wrong = await challengeFor(me)
    const forged = passkey.sign({ challenge: wrong, origin: 'https://falso.example' })
    expect((await confirm(me, { ownPassword, ownPasskey: { challenge: wrong, assertion: forged } })).status).toBe(400)
    const retried = { challenge: wrong, assertion: passkey.sign({ challenge: wrong }) }
    expect((await confirm(me, { ownPassword, ownPasskey: retried })).status).toBe(400)
    expect(await site.rows(`select "refusedCount" as n from admin_users where username = 'fulana'`)).toEqual([{ n: 2 }])

    const login = await challengeOf(fulana)
    const ofLogin = { challenge: login, assertion: passkey.sign({ challenge: login }) }
    expect((await confirm(me, { ownPassword, ownPasskey: ofLogin })).status).toBe(400)
    const challenge = await challengeFor(me)
    const ownPasskey = { challenge, assertion: passkey.sign({ challenge }) }
    expect((await confirm(me, { ownPassword: 'errada-errada', ownPasskey })).status).toBe(400)
    expect(await isRecent(me)).toBe(false)

    expect((await confirm(me, { ownPassword, ownPasskey })).status).toBe(200)

    expect(await isRecent(me)).toBe(true)
    expect((await confirm(me, { ownPassword, ownPasskey })).status).toBe(400)
  })

  test('is confirmed with the password and a recovery code, and the owner is told', async () => {
    const { me, recoveryCodes } = await createWithPasskey(fulana)
    await mails(1)
    await age()
    const ownCode = recoveryCodes[0]
    expect((await confirm(me, { ownPassword: fulana.password, ownCode })).status).toBe(200)
    expect(await isRecent(me)).toBe(true)
    const [, notice] = await mails(2)
    expect(notice).toMatchObject({
      ...{ to: 'fulana@example.org', subject: 'Um código de recuperação da sua conta foi usado' },
      text: expect.stringContaining('Ainda restam 9 códigos.'),
    })
  })

  test('is not confirmed by a change of the password alone', async () => {
    const { me } = await createWithPasskey(fulana)
    await age()
    const change = { current: fulana.password, password: 'outra-senha-longa-1' }
    expect((await me.call('POST', '/api/admin/conta/senha', change)).status).toBe(200)
    expect(await isRecent(me)).toBe(false)
  })

  test('offers no passkey to an account without one', async () => {
    const me = await createAccount(fulana)
    expect((await me.call('POST', '/api/admin/conta/confirmar/chave')).status).toBe(409)
    expect(await site.rows('select 1 from admin_challenges')).toEqual([])
  })
})

describe('a passkey', () => {
  test('is removed with the own password, and after the last factor the password is enough', async () => {
    const { me, passkey } = await createWithPasskey(fulana)
    const second = await add(me, 'Outra')
    const id = await idOf(me)
    const remove = (ownPassword: string) => me.call('POST', `${keys}/${id}/retirar`, { ownPassword })
    expect((await remove('errada-errada')).status).toBe(400)
    expect((await remove(fulana.password)).status).toBe(200)
    expect((await remove(fulana.password)).status).toBe(404)
    const challenge = await challengeOf(fulana)
    expect(await finish(challenge, passkey.sign({ challenge }))).toMatchObject(refused)
    expect(await stateOf(me)).toMatchObject({ recoveryCodes: 10 })
    expect(await finish(challenge, second.passkey.sign({ challenge }))).toMatchObject({ status: 200 })

    await me.ask('POST', `${keys}/${await idOf(me)}/retirar`, { ownPassword: fulana.password })

    expect((await logIn(fulana)).token).toBeDefined()
    expect(await stateOf(me)).toMatchObject({ passkeys: [], recoveryCodes: 0 })
    const sent = await mails(4)
    expect(sent.map(({ subject }) => subject).sort()).toEqual([
      ...['Chave de acesso nova na sua conta', 'Chave de acesso nova na sua conta'],
      ...['Chave de acesso retirada da sua conta', 'Chave de acesso retirada da sua conta'],
    ])
    expect(sent.filter(({ text }) => text.includes('a entrada pede só a senha'))).toHaveLength(1)
    expect(await auditOf('fulana')).toContain('Retirou uma chave de acesso: Outra')
  })

  test('of another account cannot be removed', async () => {
    const { me: owner } = await createWithPasskey(fulana)
    const other = await createAccount(beltrana)
    const path = `${keys}/${await idOf(owner)}/retirar`
    expect((await other.call('POST', path, { ownPassword: beltrana.password })).status).toBe(404)
    expect((await other.call('POST', `${keys}/x/retirar`, { ownPassword: beltrana.password })).status).toBe(404)
    expect((await stateOf(owner)).passkeys).toHaveLength(1)
  })

  test('ends with the account, by a colleague and by the operator', async () => {
    const { me } = await createWithPasskey(fulana)
    const [{ id } = { id: 0 }] = await site.rows<{ id: number }>(`select id from admin_users where username = 'fulana'`)
    await admin.ask('POST', `/api/admin/equipe/${id}/segundo-fator`)
    expect((await logIn(fulana)).token).toBeDefined()
    expect(await site.rows('select 1 from admin_passkeys')).toEqual([])

    await add(me)
    const database = openDatabase(site.engine, createLog('silent'), site.addressKey)
    try {
      expect(await recoverAccount(database, 'fulana')).toMatchObject({ secondFactor: 'kept' })
      const recovered = await recoverAccount(database, 'fulana', { removesSecondFactor: true })
      expect(recovered).toMatchObject({ secondFactor: 'removed' })
      expect((await logIn({ ...fulana, password: String(recovered?.password) })).token).toBeDefined()
    } finally {
      await database.close()
    }
    expect(await site.rows('select 1 from admin_passkeys')).toEqual([])
    await createWithPasskey(beltrana)
    await site.rows(`delete from admin_users where username = 'beltrana'`)
    expect(await site.rows('select 1 from admin_passkeys')).toEqual([])
  })
})

test('the app beside a passkey keeps the recovery codes, and either finishes a login', async () => {
  const both = await openTestSite()
  try {
    const me = await enter(both)
    const { passkey } = await add(me)
    const { secret } = await me.ask<{ secret: string }>('POST', `${own}/aplicativo`)
    const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) })
    const body = { code: totp.generate() }
    expect(await me.ask('POST', `${own}/aplicativo/confirmar`, body)).toMatchObject({ recoveryCodes: [] })
    expect(await stateOf(me)).toMatchObject({ app: true, recoveryCodes: 10 })
    const send = async (path: string, sent: object) => (await postJson(both.url + path, sent)).json() as Promise<Answer>
    const start = () => send('/api/admin/login', credentials)
    const first = await start()
    expect(first).toMatchObject({ app: true, passkey: { allowCredentials: [{ id: passkey.id }] } })
    const challenge = String(first.challenge)
    const signed = { challenge, passkey: passkey.sign({ challenge }) }
    expect(await send('/api/admin/login/chave', signed)).toMatchObject({ success: true })
    const code = totp.generate({ timestamp: Date.now() + 30_000 })
    const withCode = { challenge: (await start()).challenge, code }
    expect(await send('/api/admin/login/codigo', withCode)).toMatchObject({ success: true })

    await me.ask('POST', `${keys}/${await idOf(me)}/retirar`, { ownPassword: credentials.password })

    expect(await stateOf(me)).toMatchObject({ app: true, passkeys: [], recoveryCodes: 10 })
    expect((await start()).passkey).toBeUndefined()
  } finally {
    await both.close()
  }
})

describe('where the site requires a second factor', () => {
  test('a passkey is one, and the last factor cannot be removed', async () => {
    const strict = await openTestSite({ SECOND_FACTOR: 'required' })
    try {
      const me = await enter(strict)
      expect((await me.call('GET', '/api/admin/equipe')).status).toBe(403)

      await add(me)

      expect((await me.call('GET', '/api/admin/equipe')).status).toBe(200)
      const remove = async () =>
        (await me.call('POST', `${keys}/${await idOf(me)}/retirar`, { ownPassword: credentials.password })).status
      expect(await remove()).toBe(409)
      expect((await stateOf(me)).passkeys).toHaveLength(1)
      await add(me, 'Outra')
      expect(await remove()).toBe(200)
      expect(await remove()).toBe(409)
    } finally {
      await strict.close()
    }
  })

  test('the app can be turned off while a passkey remains', async () => {
    const strict = await openTestSite({ SECOND_FACTOR: 'required' })
    try {
      const me = await enter(strict)
      await strict.rows(`insert into admin_totp ("adminUserId", secret) select id, 'x' from admin_users`)
      const turnOff = () => me.call('POST', `${own}/aplicativo/desligar`, { ownPassword: credentials.password })
      expect((await turnOff()).status).toBe(409)
      await add(me)
      expect(await (await turnOff()).json()).toMatchObject({ message: expect.stringContaining('chave de acesso') })
      expect(await stateOf(me)).toMatchObject({ app: false, passkeys: [{ name: 'Celular' }] })
    } finally {
      await strict.close()
    }
  })
})
