// Exports, reserved data, erasure, changes of the team and secrets need a login of the last ten minutes.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Administrator, credentials, enter } from '#tests/helpers/administrator.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let admin: Administrator
beforeAll(async () => {
  site = await openTestSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  admin = await enter(site)
})

/** The session continues, but its last check of the password was some minutes ago. */
const age = (minutes: number) =>
  site.rows(
    `update admin_sessions set "createdAt" = "createdAt" - $1 * interval '1 minute', "verifiedAt" = "verifiedAt" - $1 * interval '1 minute'`,
    [minutes],
  )
const confirm = (ownPassword: string, { call } = admin) => call('POST', '/api/admin/conta/confirmar', { ownPassword })
const refusal = async (answer: Response) => ({ status: answer.status, ...((await answer.json()) as object) })
const secret = (by = admin) => by.call('GET', '/api/admin/botconversa/webhook/token')

const required = {
  ...{ status: 403, success: false, code: 'recent-login-required' },
  message: 'Confirme que é você para continuar.',
}

const sensitive = [
  'DELETE /api/admin/botconversa/:id',
  'DELETE /api/admin/pessoas/:tipo/:id',
  'GET /api/admin/botconversa/webhook/token',
  'GET /api/admin/campaigns/:id/entrega-com-nomes.pdf',
  'GET /api/admin/importacoes/:id/rejeitadas',
  'GET /api/admin/pessoas/:tipo/exportar',
  'POST /api/admin/equipe',
  'POST /api/admin/equipe/:id/ativar',
  'POST /api/admin/equipe/:id/desativar',
  'POST /api/admin/equipe/:id/senha',
  'POST /api/admin/pessoas/lideres/:id/revelar',
]

test('every sensitive route, and no other one, is refused ten minutes after the login', async () => {
  await age(10)
  const refused: string[] = []
  for (const { method, url, access } of site.app.policies) {
    if (access !== 'administrator' || method === 'HEAD' || url === '/api/admin/logout') continue
    const answer = await admin.call(method, url.replace(/:\w+/g, '0'), method === 'GET' ? undefined : {})
    const text = await answer.text()
    if (text.includes('recent-login-required')) refused.push(`${method} ${url}`)
  }
  expect(refused.sort()).toEqual(expect.arrayContaining(sensitive))
  const declared = site.app.policies.filter(({ endpoint, method }) => endpoint?.recentLogin && method !== 'HEAD')
  expect(refused.sort()).toEqual(declared.map(({ method, url }) => `${method} ${url}`).sort())
})

describe('a sensitive call', () => {
  test('is allowed for ten minutes after the login, and after the password is confirmed', async () => {
    await age(9)
    expect((await secret()).status).not.toBe(403)
    await age(1)
    expect(await refusal(await secret())).toEqual(required)

    expect((await confirm(credentials.password)).status).toBe(200)

    expect((await secret()).status).not.toBe(403)
    await age(9)
    expect((await secret()).status).not.toBe(403)
    await age(1)
    expect((await secret()).status).toBe(403)
  })

  test('is allowed after the own password was changed', async () => {
    await age(10)
    const password = 'outra-senha-longa-1'
    await admin.ask('POST', '/api/admin/conta/senha', { current: credentials.password, password })
    expect((await secret()).status).not.toBe(403)
    await admin.ask('POST', '/api/admin/conta/senha', { current: password, password: credentials.password })
  })

  test('stays refused after a wrong password, which counts as a guess', async () => {
    await age(10)
    await site.rows('update admin_users set "refusedCount" = 0, "refusedSince" = null')
    expect(await refusal(await confirm('senha-errada-123'))).toMatchObject({
      ...{ status: 400, errors: { ownPassword: 'A senha atual não confere' } },
    })
    expect(await refusal(await secret())).toEqual(required)
    expect(await site.rows('select "refusedCount" as n from admin_users')).toEqual([{ n: 1 }])
  })

  test('is not allowed by the confirmation of another session', async () => {
    const other = await enter(site)
    await age(10)
    expect((await confirm(credentials.password)).status).toBe(200)
    expect((await secret()).status).not.toBe(403)
    expect(await refusal(await secret(other))).toEqual(required)
  })
})
