// Every route of the admin area, taken from the router, is refused with every kind of wrong token.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { credentials, enter } from '#tests/helpers/administrator.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite()
})
afterAll(() => site.close())

const publicRoutes = [
  'POST /api/admin/login',
  'POST /api/admin/login/codigo',
  'POST /api/admin/login/chave',
  'GET /api/admin/diagnostico',
  'POST /api/admin/setup',
]

const protectedRoutes = () =>
  site.app.policies
    .filter(({ method, url }) => method !== 'HEAD' && url.startsWith('/api/admin'))
    .filter(({ method, url }) => !publicRoutes.includes(`${method} ${url}`))

const request = (method: string, url: string, authorization?: string) =>
  fetch(site.url + url.replace(/:\w+/g, '1').replace('*', 'x'), {
    method,
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    ...(method !== 'GET' && { body: '{}' }),
  })

async function revokedToken(): Promise<string> {
  const { token, call } = await enter(site)
  await call('POST', '/api/admin/logout')
  return token
}

async function expiredToken(): Promise<string> {
  const { token } = await enter(site)
  await site.rows(`update admin_sessions set "lastSeenAt" = now() - interval '31 minutes'`)
  return token
}

async function tokenOfDeactivated(): Promise<string> {
  const { token } = await enter(site)
  await site.rows('update admin_users set "isActive" = false')
  return token
}

test('every route requires an administrator', () => {
  const routes = protectedRoutes()
  expect(routes.length).toBeGreaterThan(1)
  expect(routes.filter(({ access }) => access !== 'administrator')).toEqual([])
})

test.each([
  ['no token', async () => undefined],
  ['garbage', async () => 'abc'],
  ['a well-formed token that does not exist', async () => 'A'.repeat(43)],
  ['a revoked token', revokedToken],
  ['an expired token', expiredToken],
  ['the token of a deactivated user', tokenOfDeactivated],
])('no route accepts %s', async (_, obtain) => {
  const token = await obtain()
  try {
    const answers = await Promise.all(
      protectedRoutes().map(async ({ method, url }) => {
        const answer = await request(method, url, token && `Bearer ${token}`)
        return `${method} ${url}: ${answer.status} ${await answer.text()}`
      }),
    )
    expect(answers).toEqual(
      protectedRoutes().map(
        ({ method, url }) =>
          `${method} ${url}: 401 {"success":false,"message":"Entre de novo para continuar.","code":"unauthenticated"}`,
      ),
    )
  } finally {
    await site.rows('update admin_users set "isActive" = true')
  }
})

test('no reply of the admin area may be cached', async () => {
  const { token } = await enter(site)
  const all = site.app.policies.filter(({ method, url }) => method !== 'HEAD' && url.startsWith('/api/admin'))
  const cacheable: string[] = []
  const ask = async (method: string, url: string, authorization?: string) => {
    const answer = await request(method, url, authorization)
    await answer.body?.cancel()
    if (answer.headers.get('cache-control') !== 'no-store') cacheable.push(`${method} ${url} ${answer.status}`)
  }
  for (const { method, url } of all) await ask(method, url)
  for (const { method, url } of all) if (method === 'GET') await ask(method, url, `Bearer ${token}`)
  await ask('GET', '/api/admin/nada')
  const json = { 'content-type': 'application/json' }
  const login = await fetch(`${site.url}/api/admin/login`, {
    ...{ method: 'POST', headers: json, body: JSON.stringify(credentials) },
  })
  expect([login.status, login.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(cacheable).toEqual([])
})

test('a page left open does not extend its session', async () => {
  const { token } = await enter(site)
  await site.rows(`update admin_sessions set "lastSeenAt" = now() - interval '29 minutes'`)
  const statusWith = async (headers: object) => {
    const init = { headers: { authorization: `Bearer ${token}`, ...headers } }
    return (await fetch(`${site.url}/api/admin/sessao`, init)).status
  }
  const seenSince = () => site.rows(`select from admin_sessions where "lastSeenAt" > now() - interval '28 minutes'`)

  expect([await statusWith({ 'x-por-si': '1' }), await seenSince()]).toEqual([200, []])
  // A request that the user causes extends the session.
  expect([await statusWith({}), (await seenSince()).length]).toEqual([200, 1])
})

test('login and logout are in the audit log', async () => {
  await site.empty()
  const { call } = await enter(site, credentials)
  await call('POST', '/api/admin/logout')
  expect(await site.rows('select username, action from admin_actions order by id')).toEqual([
    { username: 'admin', action: 'Entrou' },
    { username: 'admin', action: 'Saiu' },
  ])
})

test('unknown paths below /admin are a 404, known ones are pages', async () => {
  expect((await fetch(`${site.url}/api/admin/nada`)).status).toBe(404)
  const page = await fetch(`${site.url}/admin/nada`)
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  for (const path of ['/admin', '/admin/', '/admin/dashboard', '/admin/campanhas/nova', '/admin/pessoas/lideres'])
    expect((await fetch(site.url + path)).status, path).toBe(200)
})
