// The webhook of the chatbot: authentication, accepted formats, and deduplication.
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callWebhook, webhookPath, webhookSecret } from '#tests/helpers/chatbot.ts'
import { aChatbotCall } from '#tests/helpers/factories.ts'
import { asJson, completeResponse, failInserts } from '#tests/helpers/forms.ts'
import { seed } from '#tests/helpers/random.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite({ BOTCONVERSA_WEBHOOK_TOKEN: webhookSecret, TRUST_PROXY: '127.0.0.1' })
})
afterAll(() => site.close())
beforeEach(() => site.empty())

async function accepted(call: object, headers?: Record<string, string>) {
  const answer = await callWebhook(site, call, headers)
  expect(await answer.text()).toBe('{"success":true,"message":"Conversa registrada."}')
  expect(answer.status).toBe(200)
}

async function refused(call: object | string, message: string) {
  const answer = await callWebhook(site, call)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ success: false, message })
  expect(await conversations()).toEqual([])
}

const conversations = () => site.rows('select * from bot_conversas order by id')
const storedMessages = () =>
  site.rows('select mensagem, "respostaBot", "midiaUrl" from bot_mensagens order by quando, id')

async function conversation() {
  const [only, ...others] = await conversations()
  expect(others).toEqual([])
  return only
}

describe('the secret', () => {
  const request = (headers: Record<string, string>, query = '', body = JSON.stringify(aChatbotCall())) =>
    fetch(site.url + webhookPath + query, { method: 'POST', headers: { ...asJson, ...headers }, body })

  test.each([
    ['in its header', { 'x-webhook-token': webhookSecret }, ''],
    ['as a bearer token', { authorization: `Bearer ${webhookSecret}` }, ''],
    ['in the address', {}, `?token=${webhookSecret}`],
    ['right in one place and wrong in another', { authorization: 'Bearer outro' }, `?token=${webhookSecret}`],
  ])('is accepted %s', async (_, headers, query) => {
    expect((await request(headers, query)).status).toBe(200)
  })

  test.each([
    ['missing', {}, ''],
    ['wrong', { 'x-webhook-token': 'segredo-de-teste-do-rob' }, ''],
    ['empty', { 'x-webhook-token': '' }, '?token='],
    ['given twice', {}, `?token=${webhookSecret}&token=${webhookSecret}`],
    ['of an administrator', { authorization: 'Bearer senha-de-teste-123' }, ''],
  ])('%s is refused before the body is read', async (_, headers, query) => {
    const answer = await request(headers, query, '{"isto não é JSON')
    expect(answer.status).toBe(401)
    expect(await answer.json()).toEqual({
      success: false,
      message: 'O segredo do webhook não confere.',
      code: 'unauthenticated',
    })
    expect(await conversations()).toEqual([])
  })

  test('is required even if none is configured: then every call is refused', async () => {
    const other = await openTestSite()
    try {
      for (const headers of [{ 'x-webhook-token': '' }, { 'x-webhook-token': 'undefined' }])
        expect((await callWebhook(other, aChatbotCall(), headers)).status).toBe(401)
    } finally {
      await other.close()
    }
  })

  test('has a limit for guesses by address, and calls with the correct secret have none', async () => {
    const from = { 'x-forwarded-for': '198.51.100.77' }
    const guess = () =>
      site.app.inject({ method: 'POST', url: webhookPath, headers: { ...from, 'x-webhook-token': 'chute' } })
    const seen = new Set<number>()
    for (let tries = 0; tries < 1_200; tries += 1) seen.add((await guess()).statusCode)
    expect(seen).toEqual(new Set([401, 429]))
    await accepted(aChatbotCall(), from)
  })
})

describe('accepted formats', () => {
  const person = { nome: 'Fulana de Exemplo', email: 'fulana@example.org', telefone: '9990000001' }
  const shapes: [name: string, call: object][] = [
    [
      'the names of the specification',
      {
        subscriberId: '7001',
        nome: 'Fulana de Exemplo',
        email: 'Fulana@Example.org',
        whatsapp: '5599990000001',
        mensagem: 'Oi',
        respostaBot: 'Olá!',
        tags: ['nova', 'sp'],
        customFields: { cidade: 'Exemplópolis' },
      },
    ],
    [
      'Portuguese names',
      {
        event_id: 'e-1',
        subscriber_id: 7001,
        nome: 'Fulana de Exemplo',
        email: 'fulana@example.org',
        telefone: 5599990000001,
        mensagem: 'Oi',
        resposta: 'Olá!',
        tags: 'nova, sp',
        campos: { cidade: 'Exemplópolis' },
      },
    ],
    [
      'English names',
      {
        Subscriber_ID: '7001',
        full_name: 'Fulana de Exemplo',
        email: 'fulana@example.org',
        phone: '5599990000001',
        message: 'Oi',
        reply: 'Olá!',
        tags: [{ name: 'nova' }, { name: 'sp' }],
        fields: { cidade: 'Exemplópolis' },
      },
    ],
    [
      'person and message as separate objects',
      {
        subscriber: {
          id: 7001,
          phone: '5599990000001',
          first_name: 'Fulana',
          last_name: 'de Exemplo',
          email: 'fulana@example.org',
          tags: ['nova', 'sp'],
          custom_fields: { cidade: 'Exemplópolis' },
        },
        message: { text: 'Oi' },
        reply: { content: 'Olá!' },
      },
    ],
    [
      'fields as a list, and last_input as the message',
      {
        subscriber_id: '7001',
        name: 'Fulana de Exemplo',
        email: 'fulana@example.org',
        celular: '5599990000001',
        last_input: 'Oi',
        reply: 'Olá!',
        tags: '["nova","sp"]',
        fields: [{ name: 'cidade', value: 'Exemplópolis' }],
      },
    ],
  ]
  test.each(shapes)('%s', async (_, call) => {
    await accepted(call)
    expect(await conversation()).toMatchObject({
      subscriberId: '7001',
      nome: person.nome,
      email: person.email,
      whatsapp: '5599990000001',
      telefone: person.telefone,
      mensagem: 'Oi',
      respostaBot: 'Olá!',
      tags: ['nova', 'sp'],
      customFields: { cidade: 'Exemplópolis' },
      status: 'active',
      origem: 'botconversa',
    })
    expect(await storedMessages()).toEqual([{ mensagem: 'Oi', respostaBot: 'Olá!', midiaUrl: null }])
  })

  test('a form is read like JSON', async () => {
    const fields: [string, string][] = [
      ['subscriber[id]', '7001'],
      ['subscriber[first_name]', 'Fulana'],
      ['phone', '+55 (99) 99000-0001'],
      ['mensagem', 'Oi\r\ntudo bem?'],
      ['tags[]', 'nova'],
      ['tags[]', 'sp'],
      ['campos[cidade]', 'Exemplópolis'],
      ['campos[estado]', 'SP'],
    ]
    const answer = await fetch(`${site.url}${webhookPath}?token=${webhookSecret}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    })
    expect(answer.status).toBe(200)
    expect(await conversation()).toMatchObject({
      subscriberId: '7001',
      nome: 'Fulana',
      whatsapp: '+55 (99) 99000-0001',
      telefone: '9990000001',
      mensagem: 'Oi\ntudo bem?',
      tags: ['nova', 'sp'],
      customFields: { cidade: 'Exemplópolis', estado: 'SP' },
    })
  })

  test('JSON with the content type text/plain is read', async () => {
    const answer = await callWebhook(site, { subscriber_id: 7003, mensagem: 'Oi' }, { 'content-type': 'text/plain' })
    expect(answer.status).toBe(200)
    expect(await conversation()).toMatchObject({ subscriberId: '7003', mensagem: 'Oi' })
  })

  test('unreplaced variables and empty texts are dropped, and other values are kept', async () => {
    await accepted({
      subscriber_id: 7002,
      event_id: '{{event_id}}',
      nome: '{{primeiro_nome}} {{sobrenome}}',
      full_name: 'Beltrano {{sobrenome}}',
      email: ' {{email}} ',
      telefone: '',
      mensagem: 'Quero {{x}} saber',
      resposta: '{{resposta}}',
      tags: ['{{tag}}', '', ' nova '],
      campos: { cidade: '{{cidade}}', bairro: '', dados: { idade: 30, nada: null, lista: ['a', '{{b}}'] } },
    })
    expect(await conversation()).toMatchObject({
      nome: 'Beltrano',
      email: null,
      whatsapp: null,
      mensagem: 'Quero {{x}} saber',
      respostaBot: null,
      tags: ['nova'],
      customFields: { dados: { idade: 30, lista: ['a'] } },
    })
  })

  test.each([
    ['+55 99 99000-0001', '9990000001'],
    ['559990000001', '9990000001'],
    ['(99) 9000-0001', '9990000001'],
    ['099 99000-0001', '9990000001'],
    ['5599990000001', '9990000001'],
    ['55 99000-0001', '5590000001'],
    ['+1 212 555 0100', null],
    ['ramal 12', null],
  ])('the phone %s is stored as received, with the search key %s', async (telefone, key) => {
    await accepted({ subscriber_id: 'x', telefone })
    expect(await conversation()).toMatchObject({ whatsapp: telefone, telefone: key })
  })

  test('a media address is stored only if it is valid', async () => {
    await accepted({ subscriber_id: 'x', media_url: 'https://example.org/foto.jpg', ts: '2026-01-02T12:00:00Z' })
    await accepted({ subscriber_id: 'x', mensagem: 'Oi', media_url: 'javascript:alert(1)', ts: 1_767_355_300 })
    expect(await storedMessages()).toEqual([
      { mensagem: null, respostaBot: null, midiaUrl: 'https://example.org/foto.jpg' },
      { mensagem: 'Oi', respostaBot: null, midiaUrl: null },
    ])
  })

  test.each([
    [1_767_355_200, '2026-01-02T12:00:00.000Z'],
    ['1767355200000', '2026-01-02T12:00:00.000Z'],
    ['2026-01-02T12:00:00+01:00', '2026-01-02T11:00:00.000Z'],
    ['2026-01-02 12:00:00', '2026-01-02T15:00:00.000Z'],
    ['02/01/2026 12:00', '2026-01-02T15:00:00.000Z'],
  ])('the time %s is %s', async (ts, expected) => {
    await accepted({ subscriber_id: 'x', mensagem: 'Oi', ts })
    const [row] = await site.rows<{ quando: Date }>('select quando from bot_mensagens')
    expect(row?.quando.toISOString()).toBe(expected)
  })

  test.each(['ontem', '9999-01-01T00:00:00Z', '99/99/2026 12:00', -5, {}, 4_000_000_000])(
    'the time %j is invalid and is replaced by the current time',
    async (ts) => {
      await accepted({ subscriber_id: 'x', mensagem: 'Oi', ts })
      expect(await site.rows(`select 1 from bot_mensagens where quando > now() - interval '1 minute'`)).toHaveLength(1)
    },
  )
})

describe('refused with a message', () => {
  const required = 'Subscriber ID é obrigatório'
  const tooMany = 'Campos personalizados demais: são aceitos até 16 mil caracteres em até 4 níveis'
  const tags = 'São aceitas até 50 tags, cada uma com até 100 caracteres'
  const deep = (levels: number): unknown => (levels === 0 ? 'fim' : { nivel: deep(levels - 1) })

  test.each<[object | string, string]>([
    [{}, required],
    [[], required],
    ['null', required],
    [{ nome: 'Fulana', telefone: '5599990000001', mensagem: 'Oi' }, required],
    [{ subscriber_id: '' }, required],
    [{ subscriber_id: ' ' }, required],
    [{ subscriber_id: '{{id}}' }, required],
    [{ subscriber_id: { id: 1 } }, required],
    [{ subscriber_id: 'x'.repeat(101) }, 'Subscriber ID muito longo'],
    ['{"subscriber_id": 90071992547409931}', 'Subscriber ID grande demais para um número: envie entre aspas'],
    [{ subscriber_id: 1.5 }, 'Subscriber ID grande demais para um número: envie entre aspas'],
    [{ subscriber_id: 'x', email: 'sem-arroba' }, 'Email inválido'],
    [{ subscriber_id: 'x', status: 'aberto' }, 'Status deve ser active, completed ou blocked'],
    [{ subscriber_id: 'x', nome: 'n'.repeat(201) }, 'Nome muito longo'],
    [{ subscriber_id: 'x', telefone: '9'.repeat(26) }, 'Número muito longo'],
    [{ subscriber_id: 'x', mensagem: 'm'.repeat(10_001) }, 'Texto muito longo'],
    [{ subscriber_id: 'x', tags: Array.from({ length: 51 }, (_, n) => `t${n}`) }, tags],
    [{ subscriber_id: 'x', tags: ['t'.repeat(101)] }, tags],
    [{ subscriber_id: 'x', campos: deep(5) }, tooMany],
    [{ subscriber_id: 'x', campos: deep(500) }, tooMany],
    [{ subscriber_id: 'x', campos: { texto: 'x'.repeat(16_000) } }, tooMany],
    ['{"subscriber_id": {{id}}}', 'Não entendemos o pedido. Confira os dados e tente de novo.'],
  ])('%j', async (call, message) => refused(call, message))

  test('but a name that is not text is dropped, and the rest is stored', async () => {
    await accepted({ subscriber_id: 'x', first_name: { toString: 1 }, last_name: 'de Exemplo', mensagem: 'Oi' })
    expect(await conversation()).toMatchObject({ subscriberId: 'x', nome: 'de Exemplo' })
    expect(await storedMessages()).toMatchObject([{ mensagem: 'Oi' }])
  })

  test('a body above the size limit', async () => {
    const answer = await callWebhook(site, { subscriber_id: 'x', mensagem: 'm'.repeat(70_000) })
    expect(answer.status).toBe(413)
  })

  test('but the maximum of four levels, message length and fifty tags is accepted', async () => {
    await accepted({
      subscriber_id: 'x',
      mensagem: 'm'.repeat(10_000),
      campos: deep(4),
      tags: Array.from({ length: 50 }, (_, n) => `t${n}`),
    })
    expect((await conversation())?.tags).toHaveLength(50)
    expect(await storedMessages()).toMatchObject([{ mensagem: 'm'.repeat(10_000) }])
  })
})

test('any input is answered with a 200 or a 4xx', { tags: ['slow'] }, async () => {
  const fields = [
    'subscriber_id',
    'subscriber',
    'event_id',
    'nome',
    'first_name',
    'email',
    'telefone',
    'mensagem',
    'message',
  ]
  const all = [
    ...fields,
    'reply',
    'media_url',
    'tags',
    'custom_fields',
    'campos',
    'status',
    'origem',
    'ts',
    'fluxo_origem',
  ]
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom(
      '\u0000',
      '\ud83d',
      "'; drop table bot_conversas; --",
      '{{x}}',
      '{"a":"\\u0000"}',
      '["\\ud800"]',
      1e300,
    ),
    fc.array(fc.string({ unit: 'binary' }), { maxLength: 8 }),
    fc.dictionary(fc.string({ unit: 'binary' }), fc.anything({ maxDepth: 2 })),
    fc.anything({ maxDepth: 3 }),
  )
  const some = fc.record(Object.fromEntries(all.map((field) => [field, anything])), { requiredKeys: [] })
  const one = fc
    .tuple(fc.constantFrom(...all), anything)
    .map(([field, value]) => ({ ...aChatbotCall(), [field]: value }))
  const seen = new Set<number>()
  await fc.assert(
    fc.asyncProperty(fc.oneof(some, one, one, fc.anything()), async (value) => {
      const payload = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part)) ?? ''
      const headers = { ...asJson, 'x-webhook-token': webhookSecret }
      const { statusCode } = await site.app.inject({ method: 'POST', url: webhookPath, headers, payload })
      seen.add(statusCode)
      return statusCode === 200 || (statusCode >= 400 && statusCode < 500)
    }),
    { numRuns: 1_000, seed },
  )
  expect(seen).toContain(200)
})

describe('a repeated call is stored once', () => {
  test('by its event id, without a time limit, with the same answer', async () => {
    const call = aChatbotCall({ event_id: 'evento-1' })
    const first = await completeResponse(await callWebhook(site, call))
    await site.rows(`update bot_mensagens set "createdAt" = now() - interval '3 days'`)
    expect(await completeResponse(await callWebhook(site, { ...call, mensagem: 'outra' }))).toBe(first)
    expect(await storedMessages()).toHaveLength(1)
  })

  test('but the same event id of two people is two events', async () => {
    await accepted(aChatbotCall({ event_id: 'fluxo-1' }))
    await accepted(aChatbotCall({ event_id: 'fluxo-1' }))
    expect(await storedMessages()).toHaveLength(2)
  })

  test('by its content, for a short time', async () => {
    const call = aChatbotCall()
    await accepted(call)
    await accepted(call)
    expect(await storedMessages()).toHaveLength(1)
    await site.rows(`update bot_mensagens set "createdAt" = now() - interval '31 seconds'`)
    await accepted(call)
    expect(await storedMessages()).toHaveLength(2)
  })

  test('by its content and its time, without a time limit', async () => {
    const call = aChatbotCall({ ts: 1_767_355_200 })
    await accepted(call)
    await site.rows(`update bot_mensagens set "createdAt" = now() - interval '3 days'`)
    await accepted(call)
    await accepted({ ...call, ts: 1_767_355_201 })
    expect(await storedMessages()).toHaveLength(2)
  })

  test('also when many arrive at the same time', async () => {
    // Several rounds, because at first there are too few connections for concurrent calls.
    for (let round = 0; round < 5; round += 1) {
      const both = [aChatbotCall({ event_id: 'e' }), aChatbotCall()]
      const calls = Array.from({ length: 20 }, (_, n) => callWebhook(site, both[n % 2] ?? {}))
      expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]))
    }
    expect(await storedMessages()).toHaveLength(10)
    expect(await conversations()).toHaveLength(10)
  })

  test('while different concurrent calls are all stored in one conversation', async () => {
    const { subscriber_id } = aChatbotCall()
    const messages = Array.from({ length: 40 }, (_, n) => `palavra ${n}`)
    await Promise.all(messages.map((mensagem, n) => accepted({ subscriber_id, mensagem, tags: [`t${n}`] })))
    const kept = await storedMessages()
    expect(new Set(kept.map(({ mensagem }) => mensagem))).toEqual(new Set(messages))
    const { tags } = (await conversation()) as { tags: string[] }
    expect(tags).toHaveLength(40)
  })
})

describe('an existing conversation', () => {
  const row = (columns: string) => site.rows(`select ${columns} from bot_conversas`)
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

  test('gets the last message, merged tags and fields, and keeps missing values', async () => {
    const call = aChatbotCall({ resposta: 'Olá!', tags: ['nova'], campos: { cidade: 'A', bairro: 'B' } })
    await accepted(call)
    await site.rows(
      `update bot_conversas set "createdAt" = now() - interval '1 day', "updatedAt" = now() - interval '1 day'`,
    )
    const { subscriber_id } = call
    await accepted({ subscriber_id, mensagem: 'De novo', tags: ['sp', 'nova'], campos: { cidade: 'C' } })
    expect(await conversation()).toMatchObject({
      nome: call.nome,
      email: call.email,
      mensagem: 'De novo',
      respostaBot: 'Olá!',
      tags: ['sp', 'nova'],
      customFields: { cidade: 'C', bairro: 'B' },
    })
    expect(
      await row(`"updatedAt" > now() - interval '1 minute' as lately, "createdAt" < "updatedAt" as older`),
    ).toEqual([{ lately: true, older: true }])
  })

  test('stores a late call in order of time and keeps newer values', async () => {
    const { subscriber_id } = aChatbotCall()
    await accepted({
      subscriber_id,
      nome: 'Nome Novo',
      mensagem: 'segunda',
      status: 'completed',
      campos: { a: 2 },
      ts: hoursAgo(1),
    })
    await accepted({
      subscriber_id,
      nome: 'Nome Velho',
      email: 'velho@example.org',
      telefone: '5599990000001',
      mensagem: 'primeira',
      status: 'blocked',
      tags: ['antiga'],
      campos: { a: 1, b: 1 },
      ts: hoursAgo(2),
    })
    expect(await conversation()).toMatchObject({
      nome: 'Nome Novo',
      email: 'velho@example.org',
      telefone: '9990000001',
      mensagem: 'segunda',
      status: 'completed',
      tags: ['antiga'],
      customFields: { a: 2, b: 1 },
    })
    expect((await storedMessages()).map(({ mensagem }) => mensagem)).toEqual(['primeira', 'segunda'])
  })

  test('keeps newer values before late ones when both exceed the maximum', async () => {
    const { subscriber_id } = aChatbotCall()
    const names = (prefix: string) => Array.from({ length: 40 }, (_, n) => `${prefix}${n}`)
    const large = 'x'.repeat(15_000)
    for (const field of ['a', 'b', 'c', 'd'])
      await accepted({ subscriber_id, tags: names('nova'), campos: { [field]: large }, ts: hoursAgo(1) })
    for (const [name, hours] of [['velha', 2] as const, ['antiga', 3] as const])
      await accepted({ subscriber_id, tags: names(name), campos: { [name]: large }, ts: hoursAgo(hours) })

    const { tags, customFields } = (await conversation()) as { tags: string[]; customFields: object }
    expect(tags).toEqual([...names('nova'), ...names('velha'), ...names('antiga').slice(0, 20)])
    expect(Object.keys(customFields).sort()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('is reopened by a message after its end, but not if it is blocked', async () => {
    for (const [before, after] of [
      ['completed', 'active'],
      ['blocked', 'blocked'],
    ]) {
      const call = aChatbotCall({ status: before })
      await accepted(call)
      await accepted({ subscriber_id: call.subscriber_id, tags: ['só uma tag'] })
      const status = () => site.rows('select status from bot_conversas where "subscriberId" = $1', [call.subscriber_id])
      expect(await status()).toEqual([{ status: before }])
      await accepted({ subscriber_id: call.subscriber_id, mensagem: 'Voltei' })
      expect(await status()).toEqual([{ status: after }])
    }
  })

  test('is changed by a call without a message, which adds no message', async () => {
    const call = aChatbotCall()
    await accepted(call)
    await accepted({ subscriber_id: call.subscriber_id, status: 'blocked', campos: { motivo: 'pediu' } })
    expect(await conversation()).toMatchObject({
      status: 'blocked',
      customFields: { motivo: 'pediu' },
      mensagem: call.mensagem,
    })
  })

  test('has a maximum of tags and fields', async () => {
    const { subscriber_id } = aChatbotCall()
    for (let n = 0; n < 5; n += 1)
      await accepted({
        subscriber_id,
        tags: Array.from({ length: 50 }, (_, t) => `t${n}-${t}`),
        campos: { [`campo${n}`]: 'x'.repeat(15_000) },
      })
    const { tags, customFields } = (await conversation()) as { tags: string[]; customFields: object }
    expect(tags).toHaveLength(100)
    expect(tags[0]).toBe('t4-0')
    expect(JSON.stringify(customFields).length).toBeLessThan(64 * 1024)
  })
})

describe('while the database fails', () => {
  test('briefly, the call is retried and stored once', async () => {
    const repair = await failInserts(site, { table: 'bot_mensagens', code: '40001', times: 3 })
    await accepted(aChatbotCall())
    await repair()
    expect(await storedMessages()).toHaveLength(1)
  })

  test('for longer, the answer is a 503 with Retry-After, and nothing is stored', async () => {
    const repair = await failInserts(site, { table: 'bot_mensagens', code: '57P03', times: 1_000 })
    const answer = await callWebhook(site, aChatbotCall())
    await repair()
    expect(answer.status).toBe(503)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await conversations()).toEqual([])
  })
})
