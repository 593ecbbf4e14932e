// Roles of administrators: what `conteudo` may call, and that it reads no data of people.
import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Dashboard } from '#contract/admin/dashboard.ts'
import type { StoredNews } from '#contract/admin/news.ts'
import type { listTeam } from '#contract/admin/team.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { type Administrator, enter, enterAs } from '#tests/helpers/administrator.ts'
import { callWebhook, webhookSecret } from '#tests/helpers/chatbot.ts'
import { aChatbotCall, aContact, aLeader, anInfluencer, aSignature } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { newsClient } from '#tests/helpers/news.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let admin: Administrator
let editor: Administrator
beforeAll(async () => {
  site = await openTestSite({ BOTCONVERSA_WEBHOOK_TOKEN: webhookSecret })
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.empty()
  await site.rows(`delete from admin_users where username <> 'admin'`)
  admin = await enter(site)
  editor = await enterAs(site, { username: 'editora', role: 'conteudo' })
})

const refused = {
  success: false,
  message: 'Esta parte é só para quem é da coordenação. Se precisar dela, peça a alguém da coordenação.',
  code: 'role-required',
}
const adminRoutes = () =>
  site.app.policies.filter(({ method, access }) => method !== 'HEAD' && access === 'administrator')
const routesFor = (role: 'conteudo' | undefined) => adminRoutes().filter(({ endpoint }) => endpoint?.role === role)
const callAs = (who: Administrator, { method, url }: { method: string; url: string }) =>
  who.call(method, url.replace(/:tipo/, 'voluntarios').replace(/:\w+/g, '99999999'), method === 'GET' ? undefined : {})
const idOf = async (username: string) => {
  const { members } = await admin.ask<ReplyOf<typeof listTeam>>('GET', '/api/admin/equipe')
  return members.find((member) => member.username === username)?.id
}
const setRole = async (username: string, role: string) =>
  admin.call('PUT', `/api/admin/equipe/${await idOf(username)}/papel`, { role })

/** A new line here is a decision: does the reply hold data of people, or reach them? */
const forContent = [
  'DELETE /api/admin/campaigns/:id',
  'DELETE /api/admin/carousel-contents/:id',
  'DELETE /api/admin/novidades/:id',
  'DELETE /api/admin/novidades/:id/agenda',
  'GET /api/admin/campaigns',
  'GET /api/admin/campaigns/:id',
  'GET /api/admin/campaigns/:id/entrega.pdf',
  'GET /api/admin/campaigns/:id/links',
  'GET /api/admin/campaigns/:id/versoes',
  'GET /api/admin/campaigns/:id/versoes/:versao',
  'GET /api/admin/campaigns/cartao',
  'GET /api/admin/campaigns/endereco',
  'GET /api/admin/carousel-contents',
  'GET /api/admin/novidades',
  'GET /api/admin/novidades/:id',
  'GET /api/admin/novidades/:id/envio',
  'GET /api/admin/novidades/:id/previa',
  'GET /api/admin/novidades/:id/resultados',
  'GET /api/admin/numeros',
  'GET /api/admin/numeros/:slug',
  'GET /api/admin/numeros/:slug/cidades',
  'GET /api/admin/origens',
  'GET /api/admin/origens/dias',
  'GET /api/admin/painel',
  'GET /api/admin/sessao',
  'PATCH /api/admin/carousel-contents/:id',
  'POST /api/admin/campaigns',
  'POST /api/admin/campaigns/:id/ativar',
  'POST /api/admin/campaigns/:id/desativar',
  'POST /api/admin/campaigns/:id/duplicar',
  'POST /api/admin/campaigns/:id/situacao',
  'POST /api/admin/campaigns/:id/versoes/:versao/restaurar',
  'POST /api/admin/carousel-contents',
  'POST /api/admin/imagens',
  'POST /api/admin/logout',
  'POST /api/admin/novidades',
  'POST /api/admin/novidades/:id/publicar',
  'PUT /api/admin/campaigns/:id',
  'PUT /api/admin/campaigns/:id/agenda',
  'PUT /api/admin/campaigns/ordem',
  'PUT /api/admin/carousel-contents/:id',
  'PUT /api/admin/carousel-contents/ordem',
  'PUT /api/admin/novidades/:id',
  'PUT /api/admin/novidades/:id/agenda',
  'PUT /api/admin/novidades/:id/pagina',
]

test('only contents, campaigns, news, numbers and the own account are for `conteudo`', () => {
  const isOwnAccount = ({ url }: { url: string }) => url.startsWith('/api/admin/conta/')
  const routes = routesFor('conteudo').filter((route) => !isOwnAccount(route))
  expect(routes.map(({ method, url }) => `${method} ${url}`).sort()).toEqual(forContent)
  expect(routesFor(undefined).filter(isOwnAccount)).toEqual([])
})

test('`conteudo` is refused every other route before its body is read, and no route of its own', async () => {
  const others = routesFor(undefined)
  expect(others.length).toBeGreaterThan(40)
  for (const route of others) {
    const answer = await callAs(editor, route)
    expect([route.url, answer.status, await answer.json()]).toEqual([route.url, 403, refused])
  }
  const [upload] = others.filter(({ uploadLimit }) => uploadLimit)
  const tooLarge = await editor.call('POST', String(upload?.url), { text: 'a'.repeat(30_000_000) })
  expect(tooLarge.status).toBe(403)
  for (const route of routesFor('conteudo').filter(({ url }) => !url.endsWith('/logout'))) {
    const answer = await callAs(editor, route)
    expect([route.url, answer.status], await answer.text()).not.toEqual([route.url, 403])
  }
})

test('a role that this version does not know may do nothing but what every role may', async () => {
  await site.rows(`update admin_users set role = 'visitante' where username = 'editora'`)
  for (const route of [...routesFor('conteudo'), ...routesFor(undefined)])
    expect((await callAs(editor, route)).status, route.url).toBe(403)
})

test('no reply to `conteudo` has data of people', async () => {
  const people = { signature: aSignature(), contact: aContact(), influencer: anInfluencer(), leader: aLeader() }
  const call = aChatbotCall()
  await postJson(`${site.url}/api/peticoes`, people.signature)
  await postJson(`${site.url}/api/contacts`, people.contact)
  await postJson(`${site.url}/api/lideres`, people.influencer)
  await postJson(`${site.url}/api/formulario-lideres`, people.leader)
  await callWebhook(site, call)
  const { create, publish } = newsClient(admin, site.rows)
  const { id } = await publish(await create()).then(({ novidade }) => novidade)
  const { campaigns } = await admin.ask<{ campaigns: { id: number }[] }>('GET', '/api/admin/campaigns')

  const replies: string[] = []
  for (const { url } of routesFor('conteudo').filter(({ method }) => method === 'GET')) {
    const ofNews = url.includes('novidades')
    const path = url
      .replace(':id', String(ofNews ? id : campaigns[0]?.id))
      .replace(':slug', 'juros')
      .replace(':versao', '1')
    replies.push(await (await editor.call('GET', path)).text())
  }

  const text = replies.join('\n')
  expect(text).toContain('juros')
  const personal = Object.entries({ ...people, call }).flatMap(([, fields]) =>
    Object.entries(fields)
      .filter(([name]) => /nome|name|email|whatsapp|phone|telefone|cpf|endereco/i.test(name))
      .map(([, value]) => String(value)),
  )
  expect(personal.length).toBeGreaterThan(10)
  expect(personal.filter((value) => value.length > 4 && text.includes(value))).toEqual([])
})

test('the dashboard of `conteudo` has only signatures and campaigns', async () => {
  await postJson(`${site.url}/api/lideres`, anInfluencer())
  const { todos, signatures, ...rest } = await editor.ask<Dashboard>('GET', '/api/admin/painel')
  expect(signatures).not.toBeNull()
  expect(todos.filter(({ kind }) => kind !== 'campaign-closes' && kind !== 'drafts')).toEqual([])
  expect(Object.keys(rest).sort()).toEqual(['at', 'success', 'todosComplete'])
  const all = await admin.ask<Dashboard>('GET', '/api/admin/painel')
  expect(Object.keys(all)).toEqual(expect.arrayContaining(['volunteers', 'unanswered', 'conversations']))
})

describe('news', () => {
  const emailRefusal = { message: 'Novidades por e-mail são escritas, alteradas e enviadas só pela coordenação' }

  test('on the page are written, published and hidden by `conteudo`', async () => {
    const { create, publish } = newsClient(editor, site.rows)
    const { novidade } = await publish(await create({ porEmail: false }))
    expect(novidade.status).toBe('published')
    await editor.ask('PUT', `/api/admin/novidades/${novidade.id}/pagina`, { naPagina: false })
  })

  test('by e-mail are not created, changed, published, scheduled or deleted by `conteudo`', async () => {
    const mine = newsClient(editor, site.rows)
    await expect(mine.create({ porEmail: true })).rejects.toThrow(emailRefusal.message)
    const own = await mine.create({ porEmail: false })
    const sent = await newsClient(admin, site.rows).create({ porEmail: true })
    const edit = ({ titulo, html, imagem, segmento, revisao }: StoredNews, porEmail: boolean) => ({
      ...{ titulo, html, imagem, segmento, revisao, naPagina: true, porEmail },
    })
    const quando = '2099-01-01T10:00'
    const calls: [string, string, unknown?][] = [
      ['PUT', mine.path(own.id), edit(own, true)],
      ['PUT', mine.path(sent.id), edit(sent, true)],
      ['PUT', mine.path(sent.id), edit(sent, false)],
      ['POST', mine.path(sent.id, '/publicar'), { revisao: sent.revisao }],
      ['PUT', mine.path(sent.id, '/agenda'), { revisao: sent.revisao, quando }],
      ['DELETE', mine.path(sent.id, '/agenda')],
      ['PUT', mine.path(sent.id, '/pagina'), { naPagina: false }],
      ['DELETE', mine.path(sent.id)],
    ]
    for (const [method, path, body] of calls) {
      const answer = await editor.call(method, path, body)
      expect([method, path, answer.status, await answer.json()]).toMatchObject([method, path, 403, emailRefusal])
    }
    expect(await newsClient(admin, site.rows).read(sent.id)).toEqual(sent)
    expect(await site.rows('select * from news_sends')).toEqual([])
  })
})

describe('a change of role', () => {
  test('applies to open sessions at once, in both directions, and is in the audit log', async () => {
    expect(await editor.ask('GET', '/api/admin/sessao')).toMatchObject({ role: 'conteudo' })
    expect((await setRole('editora', 'coordenacao')).status).toBe(200)
    expect(await editor.ask('GET', '/api/admin/sessao')).toMatchObject({ role: 'coordenacao' })
    await editor.ask('GET', '/api/admin/equipe')
    expect((await setRole('editora', 'conteudo')).status).toBe(200)
    expect((await editor.call('GET', '/api/admin/equipe')).status).toBe(403)
    expect(await site.rows('select username, action, target, changes from admin_actions order by id')).toEqual(
      [
        ['Conteúdo', 'Coordenação'],
        ['Coordenação', 'Conteúdo'],
      ].map(([before, after]) => ({
        ...{ username: 'admin', action: 'Mudou o papel de administrador', target: 'editora' },
        changes: [{ field: 'Papel', before, after }],
      })),
    )
  })

  test('ends a streamed reply that the new role may not read', async () => {
    await setRole('editora', 'coordenacao')
    const streaming = (role?: string) =>
      ({
        headers: { authorization: `Bearer ${editor.token}` },
        routeOptions: { config: { endpoint: { role } } },
      }) as unknown as FastifyRequest
    expect(await site.app.sessionIsOpen(streaming())).toBe(true)
    await setRole('editora', 'conteudo')
    expect(await site.app.sessionIsOpen(streaming())).toBe(false)
    expect(await site.app.sessionIsOpen(streaming('conteudo'))).toBe(true)
  })

  test('of the last coordinator is refused, and so is its deactivation, although others are active', async () => {
    const last = { success: false, message: expect.stringContaining('última conta ativa de coordenação') }
    const demotion = await setRole('admin', 'conteudo')
    expect([demotion.status, await demotion.json()]).toMatchObject([409, last])
    const deactivation = await admin.call('POST', `/api/admin/equipe/${await idOf('admin')}/desativar`)
    expect([deactivation.status, await deactivation.json()]).toMatchObject([409, last])
  })

  test('of both coordinators at the same time leaves one of them', async () => {
    const other = await enterAs(site, { username: 'outra', role: 'coordenacao' })
    const [mine, theirs] = [await idOf('admin'), await idOf('outra')]
    const answers = await Promise.all([
      admin.call('PUT', `/api/admin/equipe/${theirs}/papel`, { role: 'conteudo' }),
      other.call('PUT', `/api/admin/equipe/${mine}/papel`, { role: 'conteudo' }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await site.rows(`select count(*)::int as n from admin_users where role = 'coordenacao'`)).toEqual([{ n: 1 }])
    await site.rows(`update admin_users set role = 'coordenacao' where username = 'admin'`)
  })

  test.each(['', 'visitante', null, 7])('to %j is refused', async (role) => {
    const answer = await setRole('editora', role as string)
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { errors: { role: 'Escolha o papel: coordenação ou conteúdo' } },
    ])
  })
})

test('an account is created with the chosen role', async () => {
  const member = { username: 'nova', email: 'nova@example.org', password: 'senha-da-nova-1' }
  await admin.ask('POST', '/api/admin/equipe', { ...member, role: 'conteudo' })
  const { members } = await admin.ask<ReplyOf<typeof listTeam>>('GET', '/api/admin/equipe')
  expect(members.map(({ username, role }) => [username, role])).toEqual([
    ['admin', 'coordenacao'],
    ['editora', 'conteudo'],
    ['nova', 'conteudo'],
  ])
})

test('refused calls are in the audit log with the account, the route and how often', async () => {
  const own = await openTestSite()
  try {
    const refusedEditor = await enterAs(own, { username: 'editora', role: 'conteudo' })
    for (let n = 0; n < 3; n += 1) await refusedEditor.call('GET', '/api/admin/pessoas/lideres?busca=ana')
    await refusedEditor.call('GET', '/api/admin/registro')
    await own.app.close()
    const entries = await own.rows(`select username, action, target, address from admin_actions order by id`)
    expect(entries).toEqual(
      ['GET /api/admin/pessoas/:tipo: 3 vezes', 'GET /api/admin/registro: 1 vez'].map((target) => ({
        ...{ username: 'editora', action: 'Acesso recusado: é só da coordenação', target, address: '127.0.0.0/24' },
      })),
    )
  } finally {
    await own.close()
  }
})
