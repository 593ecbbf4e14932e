// Conversations in the admin area: list, search, history, status and deletion.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { callWebhook, webhookSecret } from '#tests/helpers/chatbot.ts'
import { aChatbotCall } from '#tests/helpers/factories.ts'
import { temporaryFolder } from '#tests/helpers/server-process.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

interface ConversationPage {
  conversas: { id: number; subscriberId: string; nome: string; status: string }[]
  total: number
  antes: string | null
  depois: string | null
}

let site: TestSite
let administrator: Administrator
beforeAll(async () => {
  const siteFile = join(temporaryFolder(), 'site.json')
  writeFileSync(siteFile, '{"botconversa": {"empresa": "movimento-ficticio"}}')
  site = await openTestSite({ BOTCONVERSA_WEBHOOK_TOKEN: webhookSecret, SITE_FILE: siteFile })
  administrator = await enter(site)
})
afterAll(() => site.close())
beforeEach(() => site.empty())

async function receive(fields: Parameters<typeof aChatbotCall>[0] = {}) {
  const call = aChatbotCall(fields)
  expect((await callWebhook(site, call)).status).toBe(200)
  return call
}

const list = (query = '') => administrator.ask<ConversationPage>('GET', `/api/admin/botconversa${query}`)
const names = async (query: string) => (await list(query)).conversas.map(({ nome }) => nome)

async function idOf(subscriberId: unknown): Promise<number> {
  const [row] = await site.rows<{ id: string }>('select id from bot_conversas where "subscriberId" = $1', [
    subscriberId,
  ])
  return Number(row?.id)
}

describe('the list', () => {
  test('is in pages, the latest message first, with the total', async () => {
    for (let n = 0; n < 25; n += 1) await receive({ subscriber_id: n, nome: `Pessoa ${n}`, ts: 1_767_355_200 + n })

    const first = await list()
    const second = await list('?limite=20&offset=20')

    expect(first.total).toBe(25)
    expect(first.conversas.map(({ nome }) => nome)).toEqual(Array.from({ length: 20 }, (_, n) => `Pessoa ${24 - n}`))
    expect(second.conversas.map(({ nome }) => nome)).toEqual(Array.from({ length: 5 }, (_, n) => `Pessoa ${4 - n}`))
    expect(await list('?offset=1000')).toMatchObject({ conversas: [], total: 25 })
  })

  test('has cursors that stay correct when conversations arrive meanwhile', async () => {
    // Microseconds apart, and two at the same time.
    await site.rows(`insert into bot_conversas ("subscriberId", nome, "ultimaEm")
      select n, 'Pessoa ' || n, timestamptz '2026-01-10 12:00Z' + (n / 2) * interval '1 microsecond' from generate_series(1, 9) n`)
    const idsOf = ({ conversas }: ConversationPage) => conversas.map(({ subscriberId }) => subscriberId).join('')

    const first = await list('?limite=4')
    await receive({ subscriber_id: 10, nome: 'Pessoa 10' })
    const second = await list(`?limite=4&antes=${first.antes}`)
    const third = await list(`?limite=4&antes=${second.antes}`)

    expect([first, second, third].map(idsOf)).toEqual(['9876', '5432', '1'])
    expect([first.depois, third.antes]).toEqual([null, null])
    const back = await list(`?limite=4&depois=${third.depois}`)
    expect(idsOf(back)).toBe('5432')
    expect(idsOf(await list(`?limite=4&depois=${back.depois}`))).toBe('9876')
    expect(idsOf(await list(`?limite=4&depois=${first.antes}&status=active`))).toBe('10987')
    expect(idsOf(await list(`?limite=4&antes=${first.antes}&busca=pessoa`))).toBe('5432')
    expect(await list(`?antes=${third.depois}`)).toMatchObject({ conversas: [], total: 10, antes: null, depois: null })
  })

  test('contains the fields of the specification and no internal ones', async () => {
    const call = await receive({ resposta: 'Olá!', tags: ['nova'], campos: { cidade: 'A' } })
    const { conversas } = await list()
    expect(conversas).toEqual([
      {
        id: expect.any(Number),
        subscriberId: call.subscriber_id,
        nome: call.nome,
        email: call.email,
        whatsapp: call.telefone,
        mensagem: call.mensagem,
        respostaBot: 'Olá!',
        tags: ['nova'],
        customFields: { cidade: 'A' },
        status: 'active',
        origem: 'botconversa',
        ultimaEm: expect.stringMatching(/^\d{4}-.*Z$/),
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ])
  })

  test('is filtered by status', async () => {
    await receive({ nome: 'Ativa' })
    await receive({ nome: 'Concluída', status: 'completed' })
    await receive({ nome: 'Bloqueada', status: 'blocked' })

    expect(await list('?status=completed')).toMatchObject({ total: 1, conversas: [{ nome: 'Concluída' }] })
    expect(await list('?status=blocked')).toMatchObject({ total: 1, conversas: [{ nome: 'Bloqueada' }] })
    expect(await names('?status=active')).toEqual(['Ativa'])
    expect(await names('?status=')).toHaveLength(3)
    expect(await names('?status=all')).toHaveLength(3)
  })

  test.each([
    ['?limite=0', 'Limite deve ficar entre 1 e 100'],
    ['?limite=101', 'Limite deve ficar entre 1 e 100'],
    ['?limite=dez', 'Limite deve ficar entre 1 e 100'],
    ['?limite=1&limite=2', 'Limite deve ficar entre 1 e 100'],
    ['?offset=-1', 'Página inválida'],
    ['?offset=1e3', 'Página inválida'],
    ['?antes=1', 'Página inválida'],
    ['?depois=1-x', 'Página inválida'],
    ['?depois=99999999999999999-1', 'Página inválida'],
    ['?status=aberto', 'Status deve ser active, completed ou blocked'],
    [`?busca=${'x'.repeat(201)}`, 'Busca muito longa'],
    ['?busca=a&busca=b', 'Busca muito longa'],
  ])('%s is refused with a message', async (query, message) => {
    const answer = await administrator.call('GET', `/api/admin/botconversa${query}`)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ success: false, message })
  })
})

describe('the search finds a conversation', () => {
  beforeEach(async () => {
    await receive({
      subscriber_id: 88_001,
      nome: 'Antônia Conceição',
      email: 'antonia.c@example.org',
      telefone: '5599990000001',
    })
    await receive({
      subscriber_id: 88_002,
      nome: 'José Antunes',
      email: 'ze@example.com',
      telefone: '+55 99 9000-0002',
    })
    await receive({
      subscriber_id: 88_003,
      nome: "Maria D'Ávila-Souza",
      email: 'maria@example.net',
      telefone: '(98) 99000-0001',
    })
  })

  test.each([
    ['(99) 99000-0001'],
    ['+55 99 99000-0001'],
    ['9990000001'],
    ['5599990000001'],
    ['099 9000 0001'],
    ['99.99000.0001'],
  ])('by the phone %s', async (typed) => {
    expect(await names(`?busca=${encodeURIComponent(typed)}`)).toEqual(['Antônia Conceição'])
  })

  test('by a phone that was stored without the ninth digit', async () => {
    expect(await names('?busca=99990000002')).toEqual(['José Antunes'])
  })

  test('by a phone without its area code, in any area', async () => {
    expect(await names('?busca=99000-0001')).toEqual(["Maria D'Ávila-Souza", 'Antônia Conceição'])
  })

  test.each([
    ['antonia', 'Antônia Conceição'],
    ['CONCEI', 'Antônia Conceição'],
    ['conceição ant', 'Antônia Conceição'],
    ['antonia.c@example.org', 'Antônia Conceição'],
    ['example.com', 'José Antunes'],
    ['jose', 'José Antunes'],
    ['souza', "Maria D'Ávila-Souza"],
    ['avila', "Maria D'Ávila-Souza"],
    ['88002', 'José Antunes'],
  ])('by %s', async (typed, found) => {
    expect(await names(`?busca=${encodeURIComponent(typed)}`)).toEqual([found])
  })

  test.each(['963e5e48', '963e5e4', '963e5e', '963e5', '963', 'robo 963e5e48', '1e9.robo@example.org'])(
    'by %s, which the database reads as a number',
    async (typed) => {
      await receive({ subscriber_id: 88_004, nome: 'Robô 963e5e48', email: '1e9.robo@example.org' })
      expect(await names(`?busca=${encodeURIComponent(typed)}`)).toEqual(['Robô 963e5e48'])
    },
  )

  test('by the beginning of a word, and within a status', async () => {
    expect(await list('?busca=ant')).toMatchObject({ total: 2 })
    expect(await list('?busca=ant&status=blocked')).toMatchObject({ total: 0, conversas: [] })
  })

  test('a search with thousands of results shows the newest and says that there are more than it counts', async () => {
    await site.rows(`insert into bot_conversas ("subscriberId", nome, "ultimaEm")
      select 'n' || n, 'Repetida ' || n, now() - n * interval '1 minute' from generate_series(1, 5010) n`)
    const { conversas, ...figures } = await list('?busca=repetida&offset=3&limite=2')
    expect(figures).toMatchObject({ success: true, total: 5_000, haMais: true })
    expect(conversas.map(({ nome }) => nome)).toEqual(['Repetida 4', 'Repetida 5'])
    expect(await list('?busca=repetida+5010')).toMatchObject({ total: 1, haMais: false })
    const far = await list('?busca=repetida&offset=4000&limite=2')
    expect(far.conversas.map(({ nome }) => nome)).toEqual(['Repetida 4001', 'Repetida 4002'])
    const next = await list(`?busca=repetida&limite=2&antes=${far.antes}`)
    expect(next.conversas.map(({ nome }) => nome)).toEqual(['Repetida 4003', 'Repetida 4004'])
    const inStatus = await list('?busca=repetida&status=active&limite=1')
    expect(inStatus).toMatchObject({ haMais: true, conversas: [{ nome: 'Repetida 1' }] })
    expect(await list('?busca=repetida&status=blocked')).toMatchObject({ total: 0 })
  })

  test.each(["' or 1=1 --", '& | ! :*', '%', '_', '()', '\\', '💬', '<b>'])(
    'not by %s, and without an error',
    async (typed) => {
      expect(await list(`?busca=${encodeURIComponent(typed)}`)).toMatchObject({ total: 0 })
    },
  )
})

test('the statistics count all conversations, those of today in São Paulo, with an e-mail and with a WhatsApp', async () => {
  await receive()
  await receive({ email: '' })
  await receive({ telefone: '', email: '' })
  const yesterday = await receive()
  const midnight = `date_trunc('day', now() at time zone 'America/Sao_Paulo') at time zone 'America/Sao_Paulo'`
  await site.rows(
    `update bot_conversas set "createdAt" = ${midnight} - interval '1 second' where "subscriberId" = $1`,
    [yesterday.subscriber_id],
  )
  expect(await administrator.ask('GET', '/api/admin/botconversa/stats')).toEqual({
    success: true,
    total: 4,
    hoje: 3,
    comEmail: 2,
    comWhatsApp: 3,
  })
})

describe('one conversation', () => {
  test('has all its data and its address at the chatbot', async () => {
    const call = await receive({ telefone: '5599990000001', campos: { cidade: 'A', dados: { idade: 30 } } })
    const id = await idOf(call.subscriber_id)
    const { conversa } = await administrator.ask<{ conversa: object }>('GET', `/api/admin/botconversa/${id}`)
    expect(conversa).toMatchObject({
      id,
      nome: call.nome,
      customFields: { cidade: 'A', dados: { idade: 30 } },
      liveChat: 'https://app.botconversa.com.br/movimento-ficticio/live-chat/all/+5599990000001',
    })
  })

  test('has no address at the chatbot without a Brazilian phone', async () => {
    const call = await receive({ telefone: '+1 212 555 0100' })
    const id = await idOf(call.subscriber_id)
    expect(await administrator.ask('GET', `/api/admin/botconversa/${id}`)).toMatchObject({
      conversa: { liveChat: null },
    })
  })

  test('has its history in pages, newest first, each message once', async () => {
    const { subscriber_id } = aChatbotCall()
    // Three messages per second, so a page can end between them.
    for (let n = 0; n < 12; n += 1)
      await receive({ subscriber_id, mensagem: `Fala ${n}`, ts: 1_767_355_200 + Math.floor(n / 3), event_id: `e${n}` })
    await receive({ subscriber_id, mensagem: '', tags: ['sem fala'] })
    const id = await idOf(subscriber_id)

    const seen: string[] = []
    let antes = ''
    for (let more = true; more; ) {
      const page = await administrator.ask<{ mensagens: { id: number; mensagem: string }[]; anteriores: boolean }>(
        'GET',
        `/api/admin/botconversa/${id}/mensagens?limite=5${antes}`,
      )
      seen.push(...page.mensagens.map(({ mensagem }) => mensagem))
      antes = `&antes=${page.mensagens.at(-1)?.id}`
      more = page.anteriores
    }

    expect(seen).toEqual(Array.from({ length: 12 }, (_, n) => `Fala ${11 - n}`))
  })

  test('shows no message of another conversation, for any cursor', async () => {
    const [one, other] = [await receive(), await receive()]
    const [theirs] = await site.rows<{ id: string }>('select max(id) as id from bot_mensagens')
    const id = await idOf(one.subscriber_id)
    const history = await administrator.ask(
      'GET',
      `/api/admin/botconversa/${id}/mensagens?antes=${Number(theirs?.id) + 1}`,
    )
    expect(JSON.stringify(history)).not.toContain(other.mensagem)
  })

  test('changes its status, which is in the audit log and overrides older messages', async () => {
    const call = await receive()
    const id = await idOf(call.subscriber_id)
    const change = await administrator.ask('PATCH', `/api/admin/botconversa/${id}`, { status: 'blocked' })
    expect(change).toEqual({ success: true, message: 'Status da conversa alterado.', status: 'blocked' })
    await receive({ subscriber_id: call.subscriber_id, status: 'active', ts: Math.floor(Date.now() / 1000) - 60 })
    expect(await site.rows('select status from bot_conversas')).toEqual([{ status: 'blocked' }])
    expect(await site.rows('select action, target from admin_actions')).toEqual([
      { action: 'Mudou o status de uma conversa', target: `Conversa ${id}: bloqueada` },
    ])
    // A change of status does not move the conversation in the list.
    await receive({ nome: 'Mais nova' })
    await administrator.ask('PATCH', `/api/admin/botconversa/${id}`, { status: 'completed' })
    expect((await names(''))[0]).toBe('Mais nova')
  })

  test.each(['{}', '{"status":"aberto"}', '{"status":null}'])('the status %s is refused', async (body) => {
    const call = await receive()
    const id = await idOf(call.subscriber_id)
    const answer = await administrator.call('PATCH', `/api/admin/botconversa/${id}`, JSON.parse(body))
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ message: 'Status deve ser active, completed ou blocked' })
    expect(await site.rows('select 1 from admin_actions')).toEqual([])
  })

  test('is deleted with all its messages, which is in the audit log', async () => {
    const [call, other] = [await receive(), await receive()]
    const id = await idOf(call.subscriber_id)
    await administrator.ask('DELETE', `/api/admin/botconversa/${id}`)
    expect(await list()).toMatchObject({ total: 1, conversas: [{ subscriberId: other.subscriber_id }] })
    expect(await site.rows('select mensagem from bot_mensagens')).toEqual([{ mensagem: other.mensagem }])
    expect(await site.rows('select action, target from admin_actions')).toEqual([
      { action: 'Apagou uma conversa', target: `Conversa ${id}` },
    ])
  })

  test.each(['0', '999999999999999', 'abc', '1e9', '-1', '9'.repeat(30)])('%s is a 404', async (id) => {
    const answers = await Promise.all([
      administrator.call('GET', `/api/admin/botconversa/${id}`),
      administrator.call('PATCH', `/api/admin/botconversa/${id}`, { status: 'blocked' }),
      administrator.call('DELETE', `/api/admin/botconversa/${id}`),
    ])
    for (const answer of answers) {
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ message: 'Conversa não encontrada' })
    }
  })
})

describe('the set-up of the chatbot', () => {
  test('is shown without the secret, and its example is accepted by the webhook', async () => {
    const hint = await administrator.ask<{ endereco: string; exemplo: string }>('GET', '/api/admin/botconversa/webhook')
    expect(hint).toMatchObject({
      endereco: 'https://mobiliza.example.org/api/webhook/botconversa',
      cabecalho: 'X-Webhook-Token',
      configurado: true,
    })
    expect(JSON.stringify(hint)).not.toContain(webhookSecret)
    const filled = hint.exemplo.replaceAll(/\{\{(.*?)\}\}/g, (_, name) => (name === 'email' ? 'f@example.org' : name))
    expect((await callWebhook(site, filled)).status).toBe(200)
    expect(await list()).toMatchObject({ total: 1, conversas: [{ subscriberId: 'id', nome: 'nome-completo' }] })
  })

  test('shows the secret on request and records that in the audit log', async () => {
    expect(await administrator.ask('GET', '/api/admin/botconversa/webhook/token')).toEqual({
      success: true,
      token: webhookSecret,
    })
    expect(await site.rows('select username, action from admin_actions')).toEqual([
      { username: 'admin', action: 'Viu o segredo do webhook' },
    ])
  })

  test('says if there is no secret', async () => {
    const other = await openTestSite()
    try {
      const { ask, call } = await enter(other)
      expect(await ask('GET', '/api/admin/botconversa/webhook')).toMatchObject({ configurado: false })
      const answer = await call('GET', '/api/admin/botconversa/webhook/token')
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ message: expect.stringContaining('BOTCONVERSA_WEBHOOK_TOKEN') })
      expect(await other.rows(`select 1 from admin_actions where action = 'Viu o segredo do webhook'`)).toEqual([])
    } finally {
      await other.close()
    }
  })

  test('keeps the company name out of public pages', async () => {
    expect(await (await fetch(site.url)).text()).not.toContain('movimento-ficticio')
  })
})
