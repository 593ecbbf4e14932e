// Entering the admin area: who gets in, for how long, and what strangers learn (nothing).
import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { postJson } from '#tests/helpers/forms.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite()
})
afterAll(() => site.close())
beforeEach(() => site.rows('delete from admin_sessions'))

const password = 'senha-de-teste-123'

function post(path: string, body?: unknown, headers: Record<string, string> = {}) {
  return fetch(site.url + path, {
    method: 'POST',
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

async function tokenFor(username = 'admin'): Promise<string> {
  const answer = await post('/api/admin/login', { username, password })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { token: string }).token
}

const session = (authorization?: string) =>
  fetch(`${site.url}/api/admin/sessao`, authorization ? { headers: { authorization } } : {})

test('who knows the password gets a token, which is stored as a hash alone', async () => {
  const token = await tokenFor()

  const answer = await session(`Bearer ${token}`)
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ success: true, username: 'admin' })
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const stored = await site.rows('select * from admin_sessions')
  expect(stored).toHaveLength(1)
  expect(JSON.stringify(stored)).not.toContain(token)
})

test('a name is known however its capitals are typed, and on record as it is written', async () => {
  await site.rows('delete from admin_actions')
  for (const username of ['ADMIN', 'Admin', ' admin ']) {
    const token = await tokenFor(username)
    expect(await (await session(`Bearer ${token}`)).json()).toEqual({ success: true, username: 'admin' })
  }
  expect(await site.rows('select distinct username from admin_actions')).toEqual([{ username: 'admin' }])
})

test('of two names that differ in capitals alone, each has its own password', async () => {
  await site.rows(`
    insert into admin_users (username, email, password) select 'Fulana', 'a@example.org', password from admin_users where username = 'admin'`)
  await site.rows(`insert into admin_users (username, email, password) values ('fulana', 'b@example.org', 'nada')`)
  try {
    await tokenFor('Fulana')
    expect((await post('/api/admin/login', { username: 'fulana', password })).status).toBe(401)
  } finally {
    await site.rows(`delete from admin_users where lower(username) = 'fulana'`)
  }
})

test('a wrong password and an unknown user are told the same', async () => {
  const answers = await Promise.all(
    [
      { username: 'admin', password: 'outra-senha-qualquer' },
      { username: 'ADMIN', password: 'outra-senha-qualquer' },
      { username: 'ninguem', password },
    ].map(async (body) => {
      const answer = await post('/api/admin/login', body)
      return `${answer.status} ${await answer.text()}`
    }),
  )
  expect(answers).toEqual(Array(3).fill('401 {"success":false,"message":"Usuário ou senha incorretos."}'))
})

test.each([
  [{}, 'Informe o usuário.'],
  [{ username: 'admin' }, 'Informe a senha.'],
  [{ username: ['admin'], password }, 'Informe o usuário.'],
  [{ username: 'admin', password: 'x'.repeat(201) }, 'Usuário ou senha incorretos.'],
])('half an entry is refused with a sentence (%j)', async (body, message) => {
  const answer = await post('/api/admin/login', body)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ success: false, message })
})

describe('a neighbour on the same address', () => {
  let proxied: TestSite
  beforeAll(async () => {
    proxied = await openTestSite({ TRUST_PROXY: '127.0.0.1' })
  })
  afterAll(() => proxied.close())

  const logIn = async (body: object) => {
    const answer = await postJson(`${proxied.url}/api/admin/login`, body, { 'x-forwarded-for': '203.0.113.7' })
    return { status: answer.status, ...((await answer.json()) as { device?: string }) }
  }

  test('who has used up its tries does not lock the administrator’s device out', async () => {
    const { device } = await logIn({ username: 'admin', password })
    expect(device).toMatch(/^[\w-]{43}$/)
    const stored = await proxied.rows('select * from admin_devices')
    expect(stored).toHaveLength(1)
    expect(JSON.stringify(stored)).not.toContain(device)

    let guesses = 0
    /** Guesses, at another name each time, until the address has no tries left. They come back one by one. */
    const exhaust = async () => {
      do guesses += 1
      while ((await logIn({ username: `fulana-${guesses}`, password })).status !== 429)
    }
    const outcome = async (fields: object) => {
      await exhaust()
      return logIn({ username: 'admin', password, ...fields })
    }
    /** Once in six seconds a try comes back just in between; a device of its own would have twenty. */
    const refusal = async (fields: object) => {
      for (let tries = 1; ; tries++) {
        const { status } = await outcome(fields)
        if (status === 429 || tries === 3) return status
      }
    }
    expect(await refusal({})).toBe(429)
    expect(await refusal({ device: 'A'.repeat(43) })).toBe(429)
    expect(await refusal({ device: 'x' })).toBe(429)
    // It is known for the account that has used it, and for no other.
    expect(await refusal({ username: 'fulana', device })).toBe(429)
    expect(await outcome({ username: 'ADMIN', device })).toMatchObject({ status: 200, device })
    expect((await outcome({ device, password: 'chute-errado' })).status).toBe(401)
    expect(await proxied.rows('select 1 from admin_devices')).toHaveLength(1)
  }, 120_000)

  test('whose device is known guesses no faster for it', async () => {
    await proxied.rows('delete from admin_devices')
    const device = 'B'.repeat(43)
    await proxied.rows(`insert into admin_devices ("tokenHash", "adminUserId")
      select rtrim(translate(encode(sha256('${device}'), 'base64'), '+/', '-_'), '='), id from admin_users`)
    const guesses = Array.from({ length: 24 }, () => logIn({ username: 'admin', password: 'chute-errado', device }))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
  })
})

describe('a token ends', () => {
  const refused = async (token: string) => {
    const answer = await session(`Bearer ${token}`)
    expect(answer.status).toBe(401)
    expect(await answer.json()).toEqual({ success: false, message: 'Entre de novo para continuar.' })
  }

  test('with the logout, and no other does', async () => {
    const [mine, other] = [await tokenFor(), await tokenFor()]
    const answer = await post('/api/admin/logout', undefined, { authorization: `Bearer ${mine}` })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ success: true, message: 'Você saiu da área administrativa.' })
    await refused(mine)
    expect((await session(`Bearer ${other}`)).status).toBe(200)
  })

  test.each([
    ['after half an hour without use', `"lastSeenAt" = now() - interval '31 minutes'`],
    ['after eight hours, used or not', `"createdAt" = now() - interval '8 hours 1 minute'`],
  ])('%s', async (_, change) => {
    const token = await tokenFor()
    await site.rows(`update admin_sessions set ${change}`)
    await refused(token)
  })

  test('not after twenty-nine minutes, and its use counts from then on', async () => {
    const token = await tokenFor()
    await site.rows(`update admin_sessions set "lastSeenAt" = now() - interval '29 minutes'`)
    expect((await session(`Bearer ${token}`)).status).toBe(200)
    const [seen] = await site.rows(`select "lastSeenAt" > now() - interval '1 minute' as lately from admin_sessions`)
    expect(seen).toEqual({ lately: true })
  })

  test('also while a stream is being answered, whose checks do not count as use', async () => {
    const token = await tokenFor()
    await site.rows(`update admin_sessions set "lastSeenAt" = now() - interval '29 minutes'`)
    const streaming = { headers: { authorization: `Bearer ${token}` } } as FastifyRequest
    expect(await site.app.sessionIsOpen(streaming)).toBe(true)
    const [seen] = await site.rows(`select "lastSeenAt" > now() - interval '1 minute' as lately from admin_sessions`)
    expect(seen).toEqual({ lately: false })
    await site.rows(`update admin_sessions set "lastSeenAt" = now() - interval '31 minutes'`)
    expect(await site.app.sessionIsOpen(streaming)).toBe(false)
  })

  test('at once when its user is deactivated', async () => {
    const token = await tokenFor()
    await site.rows('update admin_users set "isActive" = false')
    try {
      await refused(token)
      expect((await post('/api/admin/login', { username: 'admin', password })).status).toBe(401)
    } finally {
      await site.rows('update admin_users set "isActive" = true')
    }
  })

  test.each(['', 'x', 'a'.repeat(43), '../../etc'])('and what never was one is none (%s)', (token) => refused(token))
})

test('a device is forgotten 180 days after its last use', async () => {
  await site.rows('delete from admin_devices')
  const logIn = async (device?: string) => {
    const answer = await post('/api/admin/login', { username: 'admin', password, device })
    return ((await answer.json()) as { device: string }).device
  }
  const known = async () =>
    (
      await site.rows<{ days: number }>(
        `select extract(day from now() - "lastUsedAt")::int as days from admin_devices order by "lastUsedAt"`,
      )
    ).map(({ days }) => days)
  const used = (days: number) =>
    site.rows(`update admin_devices set "lastUsedAt" = now() - $1 * interval '1 day'`, [days])

  const device = await logIn()
  await used(179)
  expect(await logIn(device)).toBe(device)
  expect(await known()).toEqual([0])
  await used(179)
  await logIn()
  expect(await known()).toEqual([179, 0])
  await used(181)
  await logIn()
  expect(await known()).toEqual([0])
})

test('the diagnosis says whether there is an administrator, and nothing about them', async () => {
  const answer = await fetch(`${site.url}/api/admin/diagnostico`)
  expect(await answer.json()).toEqual({
    success: true,
    message: 'O sistema admin está configurado.',
    adminExists: true,
  })
})

describe('the first set-up', () => {
  test('fifty calls at once make one account, and none of them says a secret', async () => {
    await site.rows('delete from admin_users')
    const answers = await Promise.all(Array.from({ length: 50 }, () => post('/api/admin/setup')))
    const texts = await Promise.all(answers.map((answer) => answer.text()))

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(texts.filter((text) => text.includes('Administrador criado'))).toHaveLength(1)
    expect(texts.filter((text) => text.includes('Já existe um administrador'))).toHaveLength(49)
    expect(texts.join('')).not.toContain(password)
    expect(await site.rows('select username from admin_users')).toEqual([{ username: 'admin' }])
    await tokenFor()
  })

  test('never touches an account that exists', async () => {
    const before = await site.rows('select * from admin_users')
    expect((await post('/api/admin/setup')).status).toBe(200)
    expect(await site.rows('select * from admin_users')).toEqual(before)
  })
})
