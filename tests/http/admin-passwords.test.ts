// Passwords of administrators: stronger hashes, common passwords, and generated ones that must be changed.
import { randomBytes, scryptSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Administrator, credentials, enter } from '#tests/helpers/administrator.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let admin: Administrator
beforeAll(async () => {
  site = await openTestSite()
  admin = await enter(site)
})
afterAll(() => site.close())
beforeEach(() => site.rows(`delete from admin_users where username <> 'admin'`))

const fulana = { username: 'fulana', email: 'fulana@example.org' }
const ownPassword = 'uma-frase-bem-comprida'
const logIn = async (body: object) => {
  const answer = await postJson(`${site.url}/api/admin/login`, body)
  return { status: answer.status, ...((await answer.json()) as { token: string; mustChangePassword?: boolean }) }
}
const refusal = async (answer: Response) => ({ status: answer.status, ...((await answer.json()) as object) })

/** Creates an account with a generated password. */
async function createMember(): Promise<string> {
  return (await admin.ask<{ password: string }>('POST', '/api/admin/equipe', fulana)).password
}

describe('a generated password', () => {
  const required = {
    status: 403,
    success: false,
    message: 'Antes de continuar, troque a senha que você recebeu por uma só sua.',
    code: 'password-change-required',
  }

  test('opens nothing but the own session and the change of the password', async () => {
    const password = await createMember()
    const { status, token, mustChangePassword } = await logIn({ ...fulana, password })
    expect([status, mustChangePassword]).toEqual([200, true])
    const allowed = ['GET /api/admin/sessao', 'POST /api/admin/logout', 'POST /api/admin/conta/senha']
    const routes = site.app.policies.filter(
      ({ method, url, access }) => access === 'administrator' && method !== 'HEAD' && url.startsWith('/api/admin'),
    )
    expect(routes.length).toBeGreaterThan(50)

    for (const { method, url } of routes) {
      if (allowed.includes(`${method} ${url}`)) continue
      const answer = await fetch(site.url + url.replace(/:\w+/g, '1').replace('*', 'x'), {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(method !== 'GET' && { body: '{}' }),
      })
      expect(await refusal(answer), `${method} ${url}`).toEqual(required)
    }

    const me = await enter(site, { ...fulana, password })
    expect(await me.ask('GET', '/api/admin/sessao')).toEqual({
      ...{ success: true, username: 'fulana', role: 'coordenacao', mustChangePassword: true },
    })
    await me.ask('POST', '/api/admin/conta/senha', { current: password, password: ownPassword, repeated: ownPassword })
    expect(await me.ask('GET', '/api/admin/sessao')).toEqual({ success: true, username: 'fulana', role: 'coordenacao' })
    expect((await me.call('GET', '/api/admin/equipe')).status).toBe(200)
    expect((await logIn({ ...fulana, password: ownPassword })).mustChangePassword).toBeUndefined()
  })

  test('may be left by logging out', async () => {
    const me = await enter(site, { ...fulana, password: await createMember() })
    expect((await me.call('POST', '/api/admin/logout')).status).toBe(200)
    expect((await me.call('GET', '/api/admin/sessao')).status).toBe(401)
  })

  test('made by a colleague for a lost one must be changed too, and one that the creator typed need not', async () => {
    await admin.ask('POST', '/api/admin/equipe', { ...fulana, password: ownPassword })
    const typed = await enter(site, { ...fulana, password: ownPassword })
    expect((await typed.call('GET', '/api/admin/equipe')).status).toBe(200)
    const [member] = await site.rows<{ id: number }>(`select id from admin_users where username = 'fulana'`)

    const { password } = await admin.ask<{ password: string }>('POST', `/api/admin/equipe/${member?.id}/senha`)

    const renewed = await enter(site, { ...fulana, password })
    expect(await refusal(await renewed.call('GET', '/api/admin/equipe'))).toEqual(required)
  })

  test('of the first administrator must be changed, and one of the settings need not', async () => {
    const generated = await openTestSite({ ADMIN_PASSWORD: '' })
    try {
      for (const { url, rows, password } of [
        { ...site, password: credentials.password },
        { ...generated, password: undefined },
      ]) {
        await rows('delete from admin_users')
        await postJson(`${url}/api/admin/setup`, {})
        expect(await rows('select "mustChangePassword" as must from admin_users')).toEqual([{ must: !password }])
      }
    } finally {
      await generated.close()
      admin = await enter(site)
    }
  })
})

describe('the own password', () => {
  test('is asked for twice by the form, and other clients may send it once', async () => {
    const body = { current: credentials.password, password: ownPassword }
    const answer = await admin.call('POST', '/api/admin/conta/senha', { ...body, repeated: 'outra-frase-comprida' })
    expect(await refusal(answer)).toMatchObject({
      ...{ status: 400, errors: { repeated: 'As duas senhas novas não são iguais' } },
    })
    await enter(site, credentials)
    await admin.ask('POST', '/api/admin/conta/senha', body)
    await admin.ask('POST', '/api/admin/conta/senha', { current: ownPassword, password: credentials.password })
  })

  test.each(['1234567890', 'Password123', 'QWERTYUIOP', 'minhasenha', ' basketball '])(
    'is refused if it is one of the most common ones (%s)',
    async (password) => {
      const message = 'Esta senha é das mais usadas e fácil de adivinhar. Escolha outra'
      const expected = { status: 400, message, errors: { password: message } }
      const change = { current: credentials.password, password }
      expect(await refusal(await admin.call('POST', '/api/admin/conta/senha', change))).toMatchObject(expected)
      const member = { ...fulana, password }
      expect(await refusal(await admin.call('POST', '/api/admin/equipe', member))).toMatchObject(expected)
      expect(await site.rows('select 1 from admin_users')).toHaveLength(1)
    },
  )

  test('is compared with a list that has only passwords of an accepted length', () => {
    const file = new URL('../../src/server/features/admin/common-passwords.txt', import.meta.url)
    const words = readFileSync(file, 'utf8').trimEnd().split('\n')
    expect(words.length).toBeGreaterThan(2_000)
    expect(words.filter((word) => word.length < 10 || word !== word.toLowerCase())).toEqual([])
    expect(words).not.toContain(credentials.password)
  })
})

describe('a hash', () => {
  const storedHash = async () =>
    String((await site.rows<{ password: string }>('select password from admin_users'))[0]?.password)

  test('of an earlier version is replaced at the login, also by concurrent ones', async () => {
    const salt = randomBytes(16)
    const key = scryptSync(credentials.password, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 })
    const weak = ['scrypt', 2 ** 15, 8, 1, salt.toString('base64url'), key.toString('base64url')].join('$')
    await site.rows('update admin_users set password = $1', [weak])

    expect((await logIn({ ...credentials, password: 'chute-errado' })).status).toBe(401)
    expect(await storedHash()).toBe(weak)
    const { device } = (await (await postJson(`${site.url}/api/admin/login`, credentials)).json()) as { device: string }
    const strong = await storedHash()
    expect(strong).toMatch(/^scrypt\$32768\$8\$3\$/)
    await site.rows('update admin_users set password = $1', [weak])
    // A known device does not wait for the others, so two of these are checked at once.
    const answers = await Promise.all([logIn(credentials), logIn({ ...credentials, device }), logIn(credentials)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await storedHash()).toMatch(/^scrypt\$32768\$8\$3\$/)
  })

  test('with the current parameters stays as it is', async () => {
    const before = await storedHash()
    await enter(site, credentials)
    expect(await storedHash()).toBe(before)
  })
})
