// Conversations as an administrator finds, reads and settles them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { tell, webhookSecret } from '#tests/helpers/chatbot.ts'
import { aChatbotCall } from '#tests/helpers/factories.ts'
import { temporaryFolder } from '#tests/helpers/server-process.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

interface Listed {
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

async function arrives(fields: Parameters<typeof aChatbotCall>[0] = {}) {
  const call = aChatbotCall(fields)
  expect((await tell(site, call)).status).toBe(200)
  return call
}

const list = (query = '') => administrator.ask<Listed>('GET', `/api/admin/botconversa${query}`)
const names = async (query: string) => (await list(query)).conversas.map(({ nome }) => nome)

async function idOf(subscriberId: unknown): Promise<number> {
  const [row] = await site.rows<{ id: string }>('select id from bot_conversas where "subscriberId" = $1', [
    subscriberId,
  ])
  return Number(row?.id)
}

describe('the list', () => {
  test('shows what was said last first, in pages, with how many there are', async () => {
    for (let n = 0; n < 25; n += 1) await arrives({ subscriber_id: n, nome: `Pessoa ${n}`, ts: 1_767_355_200 + n })

    const first = await list()
    const second = await list('?limite=20&offset=20')

    expect(first.total).toBe(25)
    expect(first.conversas.map(({ nome }) => nome)).toEqual(Array.from({ length: 20 }, (_, n) => `Pessoa ${24 - n}`))
    expect(second.conversas.map(({ nome }) => nome)).toEqual(Array.from({ length: 5 }, (_, n) => `Pessoa ${4 - n}`))
    expect(await list('?offset=1000')).toMatchObject({ conversas: [], total: 25 })
  })

  test('leads from page to page by what stands beside them, whatever arrives meanwhile', async () => {
    // A fraction of a millisecond apart, and at the same moment.
    await site.rows(`insert into bot_conversas ("subscriberId", nome, "ultimaEm")
      select n, 'Pessoa ' || n, timestamptz '2026-01-10 12:00Z' + (n / 2) * interval '1 microsecond' from generate_series(1, 9) n`)
    const named = ({ conversas }: Listed) => conversas.map(({ subscriberId }) => subscriberId).join('')

    const first = await list('?limite=4')
    await arrives({ subscriber_id: 10, nome: 'Pessoa 10' })
    const second = await list(`?limite=4&antes=${first.antes}`)
    const third = await list(`?limite=4&antes=${second.antes}`)

    expect([first, second, third].map(named)).toEqual(['9876', '5432', '1'])
    expect([first.depois, third.antes]).toEqual([null, null])
    const back = await list(`?limite=4&depois=${third.depois}`)
    expect(named(back)).toBe('5432')
    expect(named(await list(`?limite=4&depois=${back.depois}`))).toBe('9876')
    expect(named(await list(`?limite=4&depois=${first.antes}&status=active`))).toBe('10987')
    expect(named(await list(`?limite=4&antes=${first.antes}&busca=pessoa`))).toBe('5432')
    expect(await list(`?antes=${third.depois}`)).toMatchObject({ conversas: [], total: 10, antes: null, depois: null })
  })

  test('tells what the specification names of each, and nothing of how it is kept', async () => {
    const call = await arrives({ resposta: 'Olá!', tags: ['nova'], campos: { cidade: 'A' } })
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

  test('goes by status', async () => {
    await arrives({ nome: 'Ativa' })
    await arrives({ nome: 'Concluída', status: 'completed' })
    await arrives({ nome: 'Bloqueada', status: 'blocked' })

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
  ])('%s is refused with a sentence', async (query, message) => {
    const answer = await administrator.call('GET', `/api/admin/botconversa${query}`)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ success: false, message })
  })
})

describe('somebody is found', () => {
  beforeEach(async () => {
    await arrives({
      subscriber_id: 88_001,
      nome: 'Antônia Conceição',
      email: 'antonia.c@example.org',
      telefone: '5599990000001',
    })
    await arrives({
      subscriber_id: 88_002,
      nome: 'José Antunes',
      email: 'ze@example.com',
      telefone: '+55 99 9000-0002',
    })
    await arrives({
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

  test('by a phone whose number came without the ninth digit', async () => {
    expect(await names('?busca=99990000002')).toEqual(['José Antunes'])
  })

  test('by a phone without its area, wherever that is', async () => {
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
    'by %s, which the database takes for a number',
    async (typed) => {
      await arrives({ subscriber_id: 88_004, nome: 'Robô 963e5e48', email: '1e9.robo@example.org' })
      expect(await names(`?busca=${encodeURIComponent(typed)}`)).toEqual(['Robô 963e5e48'])
    },
  )

  test('by what is begun alike, and within a status', async () => {
    expect(await list('?busca=ant')).toMatchObject({ total: 2 })
    expect(await list('?busca=ant&status=blocked')).toMatchObject({ total: 0, conversas: [] })
  })

  test('a search that finds thousands shows the newest and says that there are more than it counts', async () => {
    await site.rows(`insert into bot_conversas ("subscriberId", nome, "ultimaEm")
      select 'n' || n, 'Repetida ' || n, now() - n * interval '1 minute' from generate_series(1, 5010) n`)
    const { conversas, ...figures } = await list('?busca=repetida&offset=3&limite=2')
    expect(figures).toMatchObject({ success: true, total: 5_000, haMais: true })
    expect(conversas.map(({ nome }) => nome)).toEqual(['Repetida 4', 'Repetida 5'])
    expect(await list('?busca=repetida+5010')).toMatchObject({ total: 1, haMais: false })
    const far = await list('?busca=repetida&offset=4000&limite=2')
    expect(far.conversas.map(({ nome }) => nome)).toEqual(['Repetida 4001', 'Repetida 4002'])
    const beside = await list(`?busca=repetida&limite=2&antes=${far.antes}`)
    expect(beside.conversas.map(({ nome }) => nome)).toEqual(['Repetida 4003', 'Repetida 4004'])
    const inStatus = await list('?busca=repetida&status=active&limite=1')
    expect(inStatus).toMatchObject({ haMais: true, conversas: [{ nome: 'Repetida 1' }] })
    expect(await list('?busca=repetida&status=blocked')).toMatchObject({ total: 0 })
  })

  test.each(["' or 1=1 --", '& | ! :*', '%', '_', '()', '\\', '💬', '<b>'])(
    'nobody by %s, and nothing breaks',
    async (typed) => {
      expect(await list(`?busca=${encodeURIComponent(typed)}`)).toMatchObject({ total: 0 })
    },
  )
})

test('the figures: all, those that began today in São Paulo, with an e-mail, with a WhatsApp', async () => {
  await arrives()
  await arrives({ email: '' })
  await arrives({ telefone: '', email: '' })
  const yesterday = await arrives()
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
  test('opens with everything that is known, and where the chatbot shows it', async () => {
    const call = await arrives({ telefone: '5599990000001', campos: { cidade: 'A', dados: { idade: 30 } } })
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
    const call = await arrives({ telefone: '+1 212 555 0100' })
    const id = await idOf(call.subscriber_id)
    expect(await administrator.ask('GET', `/api/admin/botconversa/${id}`)).toMatchObject({
      conversa: { liveChat: null },
    })
  })

  test('its history comes in pages, newest first, each message once', async () => {
    const { subscriber_id } = aChatbotCall()
    // Three at each moment: a page may end between them.
    for (let n = 0; n < 12; n += 1)
      await arrives({ subscriber_id, mensagem: `Fala ${n}`, ts: 1_767_355_200 + Math.floor(n / 3), event_id: `e${n}` })
    await arrives({ subscriber_id, mensagem: '', tags: ['sem fala'] })
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

  test('shows nothing of another conversation, whatever message is named', async () => {
    const [one, other] = [await arrives(), await arrives()]
    const [theirs] = await site.rows<{ id: string }>('select max(id) as id from bot_mensagens')
    const id = await idOf(one.subscriber_id)
    const history = await administrator.ask(
      'GET',
      `/api/admin/botconversa/${id}/mensagens?antes=${Number(theirs?.id) + 1}`,
    )
    expect(JSON.stringify(history)).not.toContain(other.mensagem)
  })

  test('changes its status, which is put on record and stands against what was sent before', async () => {
    const call = await arrives()
    const id = await idOf(call.subscriber_id)
    const change = await administrator.ask('PATCH', `/api/admin/botconversa/${id}`, { status: 'blocked' })
    expect(change).toEqual({ success: true, message: 'Status da conversa alterado.', status: 'blocked' })
    await arrives({ subscriber_id: call.subscriber_id, status: 'active', ts: Math.floor(Date.now() / 1000) - 60 })
    expect(await site.rows('select status from bot_conversas')).toEqual([{ status: 'blocked' }])
    expect(await site.rows('select acao, alvo from admin_actions')).toEqual([
      { acao: 'Mudou o status de uma conversa', alvo: `Conversa ${id}: bloqueada` },
    ])
    // Being settled is no news: the conversation keeps its place in the list.
    await arrives({ nome: 'Mais nova' })
    await administrator.ask('PATCH', `/api/admin/botconversa/${id}`, { status: 'completed' })
    expect((await names(''))[0]).toBe('Mais nova')
  })

  test.each(['{}', '{"status":"aberto"}', '{"status":null}'])('the status %s is refused', async (body) => {
    const call = await arrives()
    const id = await idOf(call.subscriber_id)
    const answer = await administrator.call('PATCH', `/api/admin/botconversa/${id}`, JSON.parse(body))
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ message: 'Status deve ser active, completed ou blocked' })
    expect(await site.rows('select 1 from admin_actions')).toEqual([])
  })

  test('is gone for good when it is removed, with everything that was said, and that is on record', async () => {
    const [call, other] = [await arrives(), await arrives()]
    const id = await idOf(call.subscriber_id)
    await administrator.ask('DELETE', `/api/admin/botconversa/${id}`)
    expect(await list()).toMatchObject({ total: 1, conversas: [{ subscriberId: other.subscriber_id }] })
    expect(await site.rows('select mensagem from bot_mensagens')).toEqual([{ mensagem: other.mensagem }])
    expect(await site.rows('select acao, alvo from admin_actions')).toEqual([
      { acao: 'Apagou uma conversa', alvo: `Conversa ${id}` },
    ])
  })

  test.each(['0', '999999999999999', 'abc', '1e9', '-1', '9'.repeat(30)])('%s is no conversation', async (id) => {
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

describe('how to set the chatbot up', () => {
  test('is told without the secret, and the example is understood', async () => {
    const hint = await administrator.ask<{ endereco: string; exemplo: string }>('GET', '/api/admin/botconversa/webhook')
    expect(hint).toMatchObject({
      endereco: 'https://mobiliza.example.org/api/webhook/botconversa',
      cabecalho: 'X-Webhook-Token',
      configurado: true,
    })
    expect(JSON.stringify(hint)).not.toContain(webhookSecret)
    const filled = hint.exemplo.replaceAll(/\{\{(.*?)\}\}/g, (_, name) => (name === 'email' ? 'f@example.org' : name))
    expect((await tell(site, filled)).status).toBe(200)
    expect(await list()).toMatchObject({ total: 1, conversas: [{ subscriberId: 'id', nome: 'nome-completo' }] })
  })

  test('the secret is shown on request, and on record', async () => {
    expect(await administrator.ask('GET', '/api/admin/botconversa/webhook/token')).toEqual({
      success: true,
      token: webhookSecret,
    })
    expect(await site.rows('select username, acao from admin_actions')).toEqual([
      { username: 'admin', acao: 'Viu o segredo do webhook' },
    ])
  })

  test('without one it says so', async () => {
    const other = await openTestSite()
    try {
      const { ask, call } = await enter(other)
      expect(await ask('GET', '/api/admin/botconversa/webhook')).toMatchObject({ configurado: false })
      const answer = await call('GET', '/api/admin/botconversa/webhook/token')
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ message: expect.stringContaining('BOTCONVERSA_WEBHOOK_TOKEN') })
      expect(await other.rows(`select 1 from admin_actions where acao = 'Viu o segredo do webhook'`)).toEqual([])
    } finally {
      await other.close()
    }
  })

  test('the company is nobody’s business outside the area', async () => {
    expect(await (await fetch(site.url)).text()).not.toContain('movimento-ficticio')
  })
})
