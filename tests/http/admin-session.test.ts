// Login, sessions and devices of administrators, and what unknown clients learn (nothing).
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

test('a correct password gets a token, which is stored as a hash alone', async () => {
  const token = await tokenFor()

  const answer = await session(`Bearer ${token}`)
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ success: true, username: 'admin', role: 'coordenacao' })
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const stored = await site.rows('select * from admin_sessions')
  expect(stored).toHaveLength(1)
  expect(JSON.stringify(stored)).not.toContain(token)
})

test('a user name is accepted in upper and lower case, and logged as it is stored', async () => {
  await site.rows('delete from admin_actions')
  for (const username of ['ADMIN', 'Admin', ' admin ']) {
    const token = await tokenFor(username)
    expect(await (await session(`Bearer ${token}`)).json()).toEqual({
      success: true,
      username: 'admin',
      role: 'coordenacao',
    })
  }
  expect(await site.rows('select distinct username from admin_actions')).toEqual([{ username: 'admin' }])
})

test('of two user names that differ only in case, each has its own password', async () => {
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

test('a wrong password and an unknown user get the same answer', async () => {
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
  expect(answers).toEqual(
    Array(3).fill('401 {"success":false,"message":"Usuário ou senha incorretos.","code":"unauthenticated"}'),
  )
})

test.each([
  [{}, 'Informe o usuário.'],
  [{ username: 'admin' }, 'Informe a senha.'],
  [{ username: ['admin'], password }, 'Informe o usuário.'],
  [{ username: 'admin', password: 'x'.repeat(201) }, 'Usuário ou senha incorretos.'],
])('incomplete credentials are refused with a message (%j)', async (body, message) => {
  const answer = await post('/api/admin/login', body)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ success: false, message })
})

describe('another client with the same address', () => {
  let proxied: TestSite
  beforeAll(async () => {
    proxied = await openTestSite({ TRUST_PROXY: '127.0.0.1' })
  })
  afterAll(() => proxied.close())

  const logIn = async (body: object) => {
    const answer = await postJson(`${proxied.url}/api/admin/login`, body, { 'x-forwarded-for': '203.0.113.7' })
    return { status: answer.status, ...((await answer.json()) as { device?: string }) }
  }

  test('that has used up its attempts does not lock the administrator’s device out', async () => {
    const { device } = await logIn({ username: 'admin', password })
    expect(device).toMatch(/^[\w-]{43}$/)
    const stored = await proxied.rows('select * from admin_devices')
    expect(stored).toHaveLength(1)
    expect(JSON.stringify(stored)).not.toContain(device)

    let guesses = 0
    /** Guesses with a new user name each time until the address has no attempts left. Attempts return one by one. */
    const exhaust = async () => {
      do guesses += 1
      while ((await logIn({ username: `fulana-${guesses}`, password })).status !== 429)
    }
    const outcome = async (fields: object) => {
      await exhaust()
      return logIn({ username: 'admin', password, ...fields })
    }
    /** One attempt returns every six seconds, possibly between two calls. A known device would have twenty attempts. */
    const statusAfterRetries = async (fields: object) => {
      for (let tries = 1; ; tries++) {
        const { status } = await outcome(fields)
        if (status === 429 || tries === 3) return status
      }
    }
    expect(await statusAfterRetries({})).toBe(429)
    expect(await statusAfterRetries({ device: 'A'.repeat(43) })).toBe(429)
    expect(await statusAfterRetries({ device: 'x' })).toBe(429)
    // A device is known only for the account that has used it.
    expect(await statusAfterRetries({ username: 'fulana', device })).toBe(429)
    expect(await outcome({ username: 'ADMIN', device })).toMatchObject({ status: 200, device })
    expect((await outcome({ device, password: 'chute-errado' })).status).toBe(401)
    expect(await proxied.rows('select 1 from admin_devices')).toHaveLength(1)
  }, 120_000)

  test('cannot guess faster with a known device', async () => {
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
    expect(await answer.json()).toEqual({
      success: false,
      message: 'Entre de novo para continuar.',
      code: 'unauthenticated',
    })
  }

  test('at the logout, which ends no other session', async () => {
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

  test('not after 29 minutes, and each use extends it', async () => {
    const token = await tokenFor()
    await site.rows(`update admin_sessions set "lastSeenAt" = now() - interval '29 minutes'`)
    expect((await session(`Bearer ${token}`)).status).toBe(200)
    const [seen] = await site.rows(`select "lastSeenAt" > now() - interval '1 minute' as lately from admin_sessions`)
    expect(seen).toEqual({ lately: true })
  })

  test('during a streamed reply too, whose session checks do not count as use', async () => {
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

  test.each(['', 'x', 'a'.repeat(43), '../../etc'])('or never was valid (%s)', (token) => refused(token))
})

/** Logs in, and returns the token of the device that the browser must store. */
async function deviceOf(device?: string): Promise<string> {
  const answer = await post('/api/admin/login', { username: 'admin', password, device })
  return ((await answer.json()) as { device: string }).device
}

test('a token that the server did not give to a device of this account is replaced', async () => {
  await site.rows('delete from admin_devices')
  const chosen = 'A'.repeat(43)
  const device = await deviceOf(chosen)
  expect(device).toMatch(/^[\w-]{43}$/)
  expect(device).not.toBe(chosen)
  expect(await deviceOf(device)).toBe(device)
  expect(await site.rows('select 1 from admin_devices')).toHaveLength(1)
})

test('an account has twenty devices at most: those that were used last', async () => {
  await site.rows('delete from admin_devices')
  const oldest = await deviceOf()
  const older = await deviceOf()
  await site.rows(`update admin_devices set "lastUsedAt" = "lastUsedAt" - interval '1 hour'`)
  await site.rows(`insert into admin_devices ("tokenHash", "adminUserId", "lastUsedAt")
    select n::text, id, now() - interval '1 minute' from admin_users, generate_series(1, 18) n`)
  await site.rows(`with other as (
      insert into admin_users (username, email, password) values ('fulana', 'a@example.org', 'nada') returning id)
    insert into admin_devices ("tokenHash", "adminUserId", "lastUsedAt")
      select 'other', id, now() - interval '2 hours' from other`)
  expect(await deviceOf(oldest)).toBe(oldest)
  await deviceOf()
  expect(
    await site.rows(`delete from admin_users where username = 'fulana'
    returning (select count(*)::int from admin_devices where "adminUserId" = id) as devices`),
  ).toEqual([{ devices: 1 }])
  expect(await site.rows('select 1 from admin_devices')).toHaveLength(20)
  expect(await deviceOf(oldest)).toBe(oldest)
  expect(await deviceOf(older)).not.toBe(older)
})

test('a device is deleted 180 days after its last use', async () => {
  await site.rows('delete from admin_devices')
  const daysSinceUse = async () =>
    (
      await site.rows<{ days: number }>(
        `select extract(day from now() - "lastUsedAt")::int as days from admin_devices order by "lastUsedAt"`,
      )
    ).map(({ days }) => days)
  const setLastUse = (days: number) =>
    site.rows(`update admin_devices set "lastUsedAt" = now() - $1 * interval '1 day'`, [days])

  const device = await deviceOf()
  await setLastUse(179)
  expect(await deviceOf(device)).toBe(device)
  expect(await daysSinceUse()).toEqual([0])
  await setLastUse(179)
  await deviceOf()
  expect(await daysSinceUse()).toEqual([179, 0])
  await setLastUse(181)
  await deviceOf()
  expect(await daysSinceUse()).toEqual([0])
})

test('the diagnosis says only whether there is an administrator', async () => {
  const answer = await fetch(`${site.url}/api/admin/diagnostico`)
  expect(await answer.json()).toEqual({
    success: true,
    message: 'O sistema admin está configurado.',
    adminExists: true,
  })
})

describe('the first set-up', () => {
  test('fifty concurrent calls create one account, and no reply contains a secret', async () => {
    await site.rows('delete from admin_users')
    // The site remembers for a second that there is an account.
    const adminExists = async () =>
      ((await (await fetch(`${site.url}/api/admin/diagnostico`)).json()) as { adminExists: boolean }).adminExists
    await expect.poll(adminExists).toBe(false)
    const answers = await Promise.all(Array.from({ length: 50 }, () => post('/api/admin/setup')))
    const texts = await Promise.all(answers.map((answer) => answer.text()))

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(texts.filter((text) => text.includes('Administrador criado'))).toHaveLength(1)
    expect(texts.filter((text) => text.includes('Já existe um administrador'))).toHaveLength(49)
    expect(texts.join('')).not.toContain(password)
    expect(await site.rows('select username from admin_users')).toEqual([{ username: 'admin' }])
    await tokenFor()
  })

  test('never changes an existing account', async () => {
    const before = await site.rows('select * from admin_users')
    expect((await post('/api/admin/setup')).status).toBe(200)
    expect(await site.rows('select * from admin_users')).toEqual(before)
  })
})
