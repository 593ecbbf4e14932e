// The team of administrators, their own accounts, and the audit log.
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { listAuditLog, readAuditFilters } from '#contract/admin/audit-log.ts'
import type { createMember, listTeam, resetMemberPassword } from '#contract/admin/team.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { createLog } from '#server/core/log.ts'
import { openDatabase } from '#server/db/database.ts'
import { recoverAccount } from '#server/features/admin/password-reset.ts'
import { type Administrator, credentials, enter } from '#tests/helpers/administrator.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let admin: Administrator
beforeAll(async () => {
  site = await openTestSite()
  admin = await enter(site)
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.rows(`delete from admin_users where username <> 'admin'`)
  // Reading the log writes the refused logins that are still in memory. They belong to the previous test.
  await admin.ask('GET', '/api/admin/registro')
  await site.rows('delete from admin_actions')
})

const password = 'senha-da-fulana-1'
const create = (member: object, who = admin) =>
  who.ask<ReplyOf<typeof createMember>>('POST', '/api/admin/equipe', member)
const team = async () => (await admin.ask<ReplyOf<typeof listTeam>>('GET', '/api/admin/equipe')).members
const idOf = async (username: string) => (await team()).find((member) => member.username === username)?.id
const auditLog = async (query = '') => admin.ask<ReplyOf<typeof listAuditLog>>('GET', `/api/admin/registro${query}`)
const refusal = async (answer: Response) => {
  const { message, errors } = (await answer.json()) as { message: string; errors?: Record<string, string> }
  return { status: answer.status, message, errors }
}
const logIn = (username: string, secret: string, device?: string) =>
  fetch(`${site.url}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: secret, device }),
  })
/** Logs in. Returns the same token if this device was known for the account, and a new one if not. */
async function deviceOf(username: string, secret: string, device?: string): Promise<string> {
  const answer = await logIn(username, secret, device)
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { device: string }).device
}

describe('a new administrator', () => {
  test('logs in with the password that the creator typed', async () => {
    const reply = await create({ username: 'fulana', email: 'Fulana@Example.org', password })

    expect(reply).toEqual({ success: true, message: 'Administrador criado.', password: null })
    await enter(site, { username: 'fulana', password })
    expect(await team()).toMatchObject([
      { username: 'admin', isActive: true, isMe: true, sessions: 1 },
      { username: 'fulana', email: 'fulana@example.org', isActive: true, isMe: false, sessions: 1 },
    ])
  })

  test('logs in with a generated password, which is shown once and stored as a hash alone', async () => {
    const { password: generated } = await create({ username: 'fulana', email: 'fulana@example.org', password: '' })

    expect(generated).toMatch(/^\w{5}(-\w{5}){3}$/)
    await enter(site, { username: 'fulana', password: String(generated) })
    const stored = await site.rows('select * from admin_users')
    expect(JSON.stringify([stored, await team(), await auditLog(), site.logged()])).not.toContain(generated)
  })

  test.each([
    [
      { username: '' },
      'username',
      'Informe um usuário de até 50 letras sem acento, números, ponto, hífen, sublinhado ou @',
    ],
    [
      { username: 'a'.repeat(51) },
      'username',
      'Informe um usuário de até 50 letras sem acento, números, ponto, hífen, sublinhado ou @',
    ],
    [
      { username: 'dona maria' },
      'username',
      'Informe um usuário de até 50 letras sem acento, números, ponto, hífen, sublinhado ou @',
    ],
    [{ email: 'sem-arroba' }, 'email', 'Email inválido'],
    [{ email: `${'a'.repeat(90)}@example.org` }, 'email', 'Informe um e-mail válido de até 100 caracteres'],
    [{ password: 'curta' }, 'password', 'A senha deve ter pelo menos 10 caracteres'],
    [{ password: 'x'.repeat(201) }, 'password', 'A senha deve ter no máximo 200 caracteres'],
  ])('with a wrong field is refused with its message (%j)', async (wrong, field, message) => {
    const answer = await admin.call('POST', '/api/admin/equipe', {
      ...{ username: 'fulana', email: 'fulana@example.org', password },
      ...wrong,
    })
    expect(await refusal(answer)).toEqual({ status: 400, message, errors: { [field]: message } })
    expect(await team()).toHaveLength(1)
  })

  test.each([
    [{ username: 'admin' }, 'username', 'Já existe um administrador com esse usuário'],
    [{ username: 'ADMIN' }, 'username', 'Já existe um administrador com esse usuário'],
    [{ email: 'Admin@example.org' }, 'email', 'Já existe um administrador com esse e-mail'],
  ])('with the user name or e-mail of an existing one is refused (%j)', async (same, field, message) => {
    const answer = await admin.call('POST', '/api/admin/equipe', {
      ...{ username: 'fulana', email: 'fulana@example.org', password },
      ...same,
    })
    expect(await refusal(answer)).toEqual({ status: 409, message, errors: { [field]: message } })
  })

  test('created ten times at once is created once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        admin.call('POST', '/api/admin/equipe', { username: 'fulana', email: 'fulana@example.org', password }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
  })

  test('created at once in upper and lower case, with different e-mails, is created once', async () => {
    const spellings = ['fulana', 'Fulana', 'FULANA', 'fuLANA', 'FULana', 'fulanA']
    const answers = await Promise.all(
      spellings.map((username, n) =>
        admin.call('POST', '/api/admin/equipe', { username, email: `fulana.${n}@example.org`, password }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(5).fill(409)])
    expect(await team()).toHaveLength(2)
  })
})

describe('deactivating', () => {
  test('ends the sessions at once, and activating restores none of them', async () => {
    await create({ username: 'fulana', email: 'fulana@example.org', password })
    const fulana = await enter(site, { username: 'fulana', password })
    const id = await idOf('fulana')

    await admin.ask('POST', `/api/admin/equipe/${id}/desativar`)

    expect((await fulana.call('GET', '/api/admin/sessao')).status).toBe(401)
    expect((await logIn('fulana', password)).status).toBe(401)
    await admin.ask('POST', `/api/admin/equipe/${id}/ativar`)
    expect((await fulana.call('GET', '/api/admin/sessao')).status).toBe(401)
    await enter(site, { username: 'fulana', password })
  })

  test('keeps the positions in the list', async () => {
    for (const username of ['ana', 'bia', 'zeca']) await create({ username, email: `${username}@example.org` })
    await admin.ask('POST', `/api/admin/equipe/${await idOf('ana')}/desativar`)

    expect((await team()).map(({ username }) => username)).toEqual(['admin', 'ana', 'bia', 'zeca'])
  })

  test('the last active one is refused', async () => {
    await create({ username: 'fulana', email: 'fulana@example.org', password })
    await admin.ask('POST', `/api/admin/equipe/${await idOf('fulana')}/desativar`)
    const answer = await admin.call('POST', `/api/admin/equipe/${await idOf('admin')}/desativar`)
    expect(await refusal(answer)).toMatchObject({
      status: 409,
      message: 'Esta é a última conta ativa de coordenação. Dê esse papel a outra conta antes.',
    })
    expect((await admin.call('GET', '/api/admin/sessao')).status).toBe(200)
  })

  test('each other at the same time leaves one active', async () => {
    for (let round = 0; round < 2; round++) {
      await site.rows('update admin_users set "isActive" = true')
      await site.rows(`delete from admin_users where username <> 'admin'`)
      admin = await enter(site)
      const names = ['fulana', 'beltrano', 'sicrana']
      for (const username of names) await create({ username, email: `${username}@example.org`, password })
      const everyone = [admin, ...(await Promise.all(names.map((username) => enter(site, { username, password }))))]
      const ids = (await team()).map(({ id }) => id)

      const answers = await Promise.all(
        everyone.flatMap((who) => ids.map((id) => who.call('POST', `/api/admin/equipe/${id}/desativar`))),
      )

      expect(answers.map(({ status }) => status).filter((status) => ![200, 401, 409].includes(status))).toEqual([])
      const active = await site.rows('select 1 from admin_users where "isActive"')
      expect(active).toHaveLength(1)
    }
    await site.rows(`update admin_users set "isActive" = true where username = 'admin'`)
    admin = await enter(site)
  })

  test.each(['999999', 'abc', '-1', '1e3'])('an unknown administrator is a 404 (%s)', async (id) => {
    const answer = await admin.call('POST', `/api/admin/equipe/${id}/desativar`)
    expect(await refusal(answer)).toMatchObject({ status: 404, message: 'Administrador não encontrado' })
  })
})

describe('a new password for a colleague', () => {
  const resetPassword = async (username: string) => {
    const path = `/api/admin/equipe/${await idOf(username)}/senha`
    return admin.ask<ReplyOf<typeof resetMemberPassword>>('POST', path)
  }

  test('is shown once, replaces the old one and ends the sessions of that account only', async () => {
    await create({ username: 'fulana', email: 'fulana@example.org', password })
    await create({ username: 'beltrano', email: 'beltrano@example.org', password })
    const [fulana, again, beltrano] = [
      await enter(site, { username: 'fulana', password }),
      await enter(site, { username: 'fulana', password }),
      await enter(site, { username: 'beltrano', password }),
    ]

    const { password: generated, ...rest } = await resetPassword('fulana')

    expect(rest).toEqual({
      success: true,
      message: 'Senha nova feita. A antiga não vale mais, e as sessões terminaram.',
    })
    expect(generated).toMatch(/^\w{5}(-\w{5}){3}$/)
    for (const ended of [fulana, again]) expect((await ended.call('GET', '/api/admin/sessao')).status).toBe(401)
    for (const open of [admin, beltrano]) expect((await open.call('GET', '/api/admin/sessao')).status).toBe(200)
    expect((await logIn('fulana', password)).status).toBe(401)
    await enter(site, { username: 'fulana', password: generated })
    const kept = [await site.rows('select * from admin_users'), await team(), await auditLog(), site.logged()]
    expect(JSON.stringify(kept)).not.toContain(generated)
    expect((await auditLog('?tipo=Redefiniu%20a%20senha%20de%20administrador')).deeds).toMatchObject([
      { username: 'admin', subject: 'fulana' },
    ])
  })

  test('of a colleague or of the operator forgets the devices of that account only', async () => {
    await create({ username: 'fulana', email: 'fulana@example.org', password })
    const device = await deviceOf('fulana', password)
    const mine = await deviceOf(credentials.username, credentials.password)

    const { password: byColleague } = await resetPassword('fulana')

    const second = await deviceOf('fulana', byColleague, device)
    expect(second).not.toBe(device)
    expect(await deviceOf('fulana', byColleague, second)).toBe(second)

    const database = openDatabase(site.engine, createLog('silent'), site.addressKey)
    const recovered = await recoverAccount(database, 'fulana').finally(() => database.close())

    expect(await deviceOf('fulana', String(recovered?.password), second)).not.toBe(second)
    expect(await deviceOf(credentials.username, credentials.password, mine)).toBe(mine)
  })

  test('keeps a deactivated account locked until it is activated', async () => {
    await create({ username: 'fulana', email: 'fulana@example.org', password })
    const id = await idOf('fulana')
    await admin.ask('POST', `/api/admin/equipe/${id}/desativar`)

    const { message, password: generated } = await resetPassword('fulana')

    expect(message).toBe('Senha nova feita. A conta continua desativada: ative-a para que a pessoa entre.')
    expect((await logIn('fulana', generated)).status).toBe(401)
    await admin.ask('POST', `/api/admin/equipe/${id}/ativar`)
    expect((await logIn('fulana', password)).status).toBe(401)
    await enter(site, { username: 'fulana', password: generated })
  })

  test('is refused for the own account, which requires the old password', async () => {
    const answer = await admin.call('POST', `/api/admin/equipe/${await idOf('admin')}/senha`)
    expect(await refusal(answer)).toMatchObject({
      status: 409,
      message: 'A senha da sua própria conta se troca em “Trocar minha senha”, que pede a atual.',
    })
    expect((await admin.call('GET', '/api/admin/sessao')).status).toBe(200)
    await enter(site)
  })

  test.each(['999999', 'abc', '-1', '1e3'])('for an unknown administrator is a 404 (%s)', async (id) => {
    const answer = await admin.call('POST', `/api/admin/equipe/${id}/senha`)
    expect(await refusal(answer)).toMatchObject({ status: 404, message: 'Administrador não encontrado' })
  })

  // The embedded engine runs one transaction at a time, so a login cannot overlap with a change.
  test.runIf(inject('source').kind === 'postgres')('leaves no session to a login that was in progress', async () => {
    await create({ username: 'fulana', email: 'fulana@example.org', password })
    const changing = new pg.Client(site.engine.direct)
    await changing.connect()
    try {
      await changing.query('begin')
      await changing.query(`update admin_users set password = 'outra' where username = 'fulana'`)
      let answered = false
      const login = logIn('fulana', password).finally(() => {
        answered = true
      })
      // The login now waits for the lock: the password was correct, and the session is about to be written.
      const isWaiting = async () =>
        (
          await site.rows(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).length > 0
      while (!answered && !(await isWaiting())) await new Promise((resolve) => setTimeout(resolve, 20))
      await changing.query(
        'delete from admin_sessions where "adminUserId" in (select id from admin_users where username = $1)',
        ['fulana'],
      )
      await changing.query('commit')

      expect((await login).status).toBe(401)
      expect((await team()).find(({ username }) => username === 'fulana')?.sessions).toBe(0)
    } finally {
      await changing.end()
    }
  })
})

describe('the own account', () => {
  const change = (who: Administrator, body: object) => who.call('POST', '/api/admin/conta/senha', body)

  test('takes a new password, ends the other sessions and keeps this one', async () => {
    await create({ username: 'fulana', email: 'fulana@example.org', password })
    const [thisSession, otherSession] = [
      await enter(site, { username: 'fulana', password }),
      await enter(site, { username: 'fulana', password }),
    ]

    expect((await change(thisSession, { current: password, password: 'outra-senha-longa' })).status).toBe(200)

    expect((await thisSession.call('GET', '/api/admin/sessao')).status).toBe(200)
    expect((await otherSession.call('GET', '/api/admin/sessao')).status).toBe(401)
    expect((await admin.call('GET', '/api/admin/sessao')).status).toBe(200)
    expect((await logIn('fulana', password)).status).toBe(401)
    await enter(site, { username: 'fulana', password: 'outra-senha-longa' })
  })

  test('takes a new password and forgets its devices, except the one of this browser', async () => {
    await create({ username: 'fulana', email: 'fulana@example.org', password })
    const [device, other] = [await deviceOf('fulana', password), await deviceOf('fulana', password)]
    const fulana = await enter(site, { username: 'fulana', password })
    const mine = await deviceOf(credentials.username, credentials.password)

    const next = { current: password, password: 'outra-senha-longa', device }
    expect((await change(fulana, next)).status).toBe(200)

    expect(await deviceOf('fulana', next.password, device)).toBe(device)
    expect(await deviceOf('fulana', next.password, other)).not.toBe(other)
    const invented = 'A'.repeat(43)
    const last = { current: next.password, password: 'mais-uma-senha-longa', device: invented }
    expect((await change(fulana, last)).status).toBe(200)
    for (const forgotten of [device, invented])
      expect(await deviceOf('fulana', last.password, forgotten)).not.toBe(forgotten)
    expect(await deviceOf(credentials.username, credentials.password, mine)).toBe(mine)
  })

  test.each([
    [{ current: 'errada-errada', password: 'outra-senha-longa' }, 'current', 'A senha atual não confere'],
    [{ current: '', password: 'outra-senha-longa' }, 'current', 'Informe a senha atual'],
    [{ password: 'outra-senha-longa' }, 'current', 'Informe a senha atual'],
    [{ current: credentials.password, password: 'curta' }, 'password', 'A senha deve ter pelo menos 10 caracteres'],
    [{ current: credentials.password, password: credentials.password }, 'password', 'A nova senha é igual à atual'],
  ])('keeps its password when a field is wrong (%j)', async (body, field, message) => {
    expect(await refusal(await change(admin, body))).toEqual({
      ...{ status: 400, message, errors: { [field]: message } },
    })
    expect((await admin.call('GET', '/api/admin/sessao')).status).toBe(200)
    await enter(site)
  })

  // Each guess takes as long as a password check.
  test('has the same limit for guessing the old password as the login', { timeout: 120_000 }, async () => {
    const proxied = await openTestSite({ TRUST_PROXY: '127.0.0.1' })
    try {
      const { token } = await enter(proxied)
      const guess = () =>
        fetch(`${proxied.url}/api/admin/conta/senha`, {
          method: 'POST',
          headers: {
            ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            'x-forwarded-for': '203.0.113.9',
          },
          body: JSON.stringify({ current: 'errada-errada', password: 'outra-senha-longa' }),
        })
      const statuses = await Promise.all(Array.from({ length: 24 }, async () => (await guess()).status))
      expect(new Set(statuses)).toEqual(new Set([400, 429]))
    } finally {
      await proxied.close()
    }
  })

  test('ends its other sessions, and no session of another account', async () => {
    await create({ username: 'fulana', email: 'fulana@example.org', password })
    const fulana = await enter(site, { username: 'fulana', password })
    const other = await enter(site)

    await admin.ask('POST', '/api/admin/conta/encerrar-outras')

    expect((await other.call('GET', '/api/admin/sessao')).status).toBe(401)
    expect((await admin.call('GET', '/api/admin/sessao')).status).toBe(200)
    expect((await fulana.call('GET', '/api/admin/sessao')).status).toBe(200)
  })
})

describe('the audit log', () => {
  test('has the administrator, action and subject of each change, the latest first, and no refused change', async () => {
    await create({ username: 'fulana', email: 'fulana@example.org', password })
    const fulana = await enter(site, { username: 'fulana', password })
    const id = await idOf('fulana')
    await fulana.ask('POST', '/api/admin/conta/senha', { current: password, password: 'outra-senha-longa' })
    await fulana.ask('POST', '/api/admin/conta/encerrar-outras')
    await admin.ask('POST', `/api/admin/equipe/${id}/desativar`)
    await admin.call('POST', `/api/admin/equipe/${await idOf('admin')}/desativar`)
    await admin.ask('POST', `/api/admin/equipe/${id}/ativar`)

    const { total, deeds: all } = await auditLog()

    expect(all.map(({ username, deed, subject }) => [username, deed, subject])).toEqual([
      ['admin', 'Ativou administrador', 'fulana'],
      ['admin', 'Desativou administrador', 'fulana'],
      ['fulana', 'Encerrou as próprias outras sessões', ''],
      ['fulana', 'Trocou a própria senha', ''],
      ['fulana', 'Entrou', ''],
      ['admin', 'Criou administrador', 'fulana'],
    ])
    expect(total).toBe(6)
    expect(JSON.stringify(all)).not.toContain('senha-')
  })

  test('counts refused passwords of existing accounts, and stores nothing of other names', async () => {
    for (const [username, secret] of [
      ['admin', 'errada-errada'],
      ['admin', 'errada-outra'],
      ['senha-digitada-no-lugar', 'errada-errada'],
    ] as const)
      expect((await logIn(username, secret)).status).toBe(401)

    const { deeds: all } = await auditLog('?tipo=Senha%20recusada%20no%20login')

    expect(all).toMatchObject([{ username: 'admin', deed: 'Senha recusada no login', subject: '2 vezes' }])
    const kept = JSON.stringify([await site.rows('select * from admin_actions'), site.logged()])
    expect(kept).not.toContain('errada')
    expect(kept).not.toContain('senha-digitada')
  })

  test('is filtered by person, kind and day in Brasília, and comes in pages', async () => {
    await site.rows('delete from admin_actions')
    await site.rows(`
      insert into admin_actions (username, action, target, "createdAt") values
        ('fulana', 'Publicou', 'a', '2026-01-11 02:59:59+00'), ('fulana', 'Publicou', 'b', '2026-01-11 03:00:00+00'),
        ('fulana', 'Removeu', 'c', '2026-01-12 02:59:59+00'), ('beltrano', 'Publicou', 'd', '2026-01-12 03:00:00+00')`)
    const found = async (query: string) => (await auditLog(query)).deeds.map(({ subject }) => subject).join('')

    expect(await found('')).toBe('dcba')
    expect(await found('?pessoa=fulana')).toBe('cba')
    expect(await found('?tipo=Publicou')).toBe('dba')
    expect(await found('?de=2026-01-11')).toBe('dcb')
    expect(await found('?ate=2026-01-11')).toBe('cba')
    expect(await found('?pessoa=fulana&tipo=Publicou&de=2026-01-11&ate=2026-01-11')).toBe('b')
    expect(await found('?pessoa=&tipo=&de=&ate=&antes=&depois=')).toBe('dcba')
    expect(await admin.ask<ReplyOf<typeof readAuditFilters>>('GET', '/api/admin/registro/filtros')).toMatchObject({
      ...{ people: ['beltrano', 'fulana'], kinds: ['Publicou', 'Removeu'] },
    })

    await site.rows(
      `insert into admin_actions (username, action) select 'fulana', 'Exportou' from generate_series(1, 120)`,
    )
    const first = await auditLog('?tipo=Exportou')
    const second = await auditLog(`?tipo=Exportou&antes=${first.antes}`)
    // Later entries do not move the pages.
    await site.rows(`insert into admin_actions (username, action) values ('fulana', 'Exportou')`)
    const third = await auditLog(`?tipo=Exportou&antes=${second.antes}`)
    const pages = [first, second, third]
    expect(pages.map(({ total, deeds: { length } }) => [total, length])).toEqual([
      ...[
        [120, 50],
        [120, 50],
        [121, 20],
      ],
    ])
    expect(new Set(pages.flatMap((page) => page.deeds.map(({ id }) => id))).size).toBe(120)
    expect([first.depois, third.antes]).toEqual([null, null])

    expect(await auditLog(`?tipo=Exportou&depois=${third.depois}`)).toMatchObject({ deeds: second.deeds })
    const again = await auditLog(`?tipo=Exportou&depois=${second.depois}`)
    expect(again.deeds).toEqual(first.deeds)
    expect((await auditLog(`?tipo=Exportou&depois=${again.depois}`)).deeds).toHaveLength(1)
  })

  test.each([
    ['?de=ontem', 'Data inválida. Use o formato AAAA-MM-DD'],
    ['?de=0000-01-01', 'Data inválida. Use o formato AAAA-MM-DD'],
    ['?pessoa=%00', 'O texto tem caracteres que não podem ser gravados'],
    ['?tipo=%00', 'O texto tem caracteres que não podem ser gravados'],
    ['?ate=2026-02-30', 'Data inválida. Use o formato AAAA-MM-DD'],
    ['?antes=-1', 'Página inválida'],
    ['?depois=9999999999999999', 'Página inválida'],
    [`?pessoa=${'a'.repeat(51)}`, 'Usuário inválido'],
    ['?tipo=a&tipo=b', 'Tipo inválido'],
  ])('refuses a wrong filter with a message (%s)', async (query, message) => {
    const answer = await admin.call('GET', `/api/admin/registro${query}`)
    expect(await refusal(answer)).toMatchObject({ status: 400, message })
  })
})
