// Applications of influencers and leaders: what is stored, encrypted, queued and answered.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SystemStatus } from '#contract/admin/system.ts'
import { createEncryption, type Encryption } from '#server/core/encryption.ts'
import { createLog } from '#server/core/log.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { decryptReserved, encryptStoredLeaders, type StoredReservedData } from '#server/db/reserved-data.ts'
import { enter } from '#tests/helpers/administrator.ts'
import { aLeader, anInfluencer, type InfluencerFields, type LeaderFields } from '#tests/helpers/factories.ts'
import { completeResponse, failInserts, postForm, postJson, sendArbitraryInput } from '#tests/helpers/forms.ts'
import { testConfig } from '#tests/helpers/template.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite()
})
afterAll(() => site.close())
beforeEach(() => site.empty())

const applyAsInfluencer = (application: object, headers?: Record<string, string>) =>
  postJson(`${site.url}/api/lideres`, application, headers)
const applyAsLeader = (application: object, headers?: Record<string, string>) =>
  postJson(`${site.url}/api/formulario-lideres`, application, headers)

async function stored() {
  const [total] = await site.rows<{ influencers: number; leaders: number; queued: number }>(`
    select (select count(*)::int from influenciadores) as influencers, (select count(*)::int from lideres) as leaders,
      (select count(*)::int from outbox) as queued`)
  return total
}
async function convertAll(database: Database, encryption: Encryption): Promise<number> {
  let total = 0
  for (let page = 1; page > 0; total += page) page = await encryptStoredLeaders(database, encryption)
  return total
}
const empty = { influencers: 0, leaders: 0, queued: 0 }

describe('an influencer’s application', () => {
  test('is stored and queued for delivery before the answer', async () => {
    const application = anInfluencer({
      email: 'Sicrana.Exemplo@Example.org',
      estado: 'ba',
      tasks: ['CRIAR CONTEÚDO', 'LIDERAR UMA EQUIPE REGIONAL'],
    })

    const answer = await applyAsInfluencer(application)

    expect(answer.status).toBe(201)
    expect(await answer.json()).toEqual({
      success: true,
      message: 'Sua inscrição como influenciador foi enviada com sucesso!',
    })
    const [row] = await site.rows('select * from influenciadores')
    expect(row).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: application.name,
      email: 'sicrana.exemplo@example.org',
      canonicalEmail: 'sicrana.exemplo@example.org',
      whatsapp: application.whatsapp,
      cidade: 'Cidade Inventada',
      estado: 'BA',
      redesSociais: application.redesSociais,
      tasks: ['CRIAR CONTEÚDO', 'LIDERAR UMA EQUIPE REGIONAL'],
      aceitaNovidades: false,
      versaoConsentimento: '2026-11-19',
    })
    expect(await site.rows('select kind, payload from outbox')).toEqual([{ kind: 'influenciador', payload: [row?.id] }])
  })

  test('with a repeated request id gets the same answer and is stored once', async () => {
    const application = anInfluencer()
    const headers = { 'x-request-id': crypto.randomUUID() }

    const answers = await Promise.all(Array.from({ length: 20 }, () => applyAsInfluencer(application, headers)))

    expect(new Set(await Promise.all(answers.map(completeResponse))).size).toBe(1)
    expect(await stored()).toEqual({ ...empty, influencers: 1, queued: 1 })
  })

  test('with a filled honeypot gets the same answer byte for byte and is not stored', async () => {
    const person = await applyAsInfluencer(anInfluencer())
    await site.empty()

    const robot = await applyAsInfluencer(anInfluencer({ honeypot: 'x' }))

    expect(await completeResponse(robot)).toBe(await completeResponse(person))
    expect(await stored()).toEqual(empty)
  })

  test.each([[['CRIAR CONTEÚDO']], [['CRIAR CONTEÚDO', 'ORGANIZAR EVENTOS LOCAIS']]])(
    'without JavaScript can have %j',
    async (tasks) => {
      const answer = await postForm(`${site.url}/api/lideres`, anInfluencer({ tasks }))

      expect(answer.status).toBe(201)
      expect(await site.rows('select tasks from influenciadores')).toEqual([{ tasks }])
    },
  )

  test('with a repeated task has it once', async () => {
    const tasks = [
      'CRIAR CONTEÚDO',
      'ORGANIZAR EVENTOS LOCAIS',
      'CRIAR CONTEÚDO',
      'CRIAR CONTEÚDO',
      'CRIAR CONTEÚDO',
      'CRIAR CONTEÚDO',
    ]

    const answer = await applyAsInfluencer(anInfluencer({ tasks }))

    expect(answer.status).toBe(201)
    expect(await site.rows('select tasks from influenciadores')).toEqual([
      { tasks: ['CRIAR CONTEÚDO', 'ORGANIZAR EVENTOS LOCAIS'] },
    ])
  })

  test('cannot set other fields', async () => {
    const id = crypto.randomUUID()

    await applyAsInfluencer({ ...anInfluencer(), id, requestId: id, createdAt: '2001-01-01', status: 'aprovado' })

    const [row] = await site.rows(
      `select id = $1 or "requestId" = $1 as chosen, "createdAt" > now() - interval '1 minute' as recent
       from influenciadores`,
      [id],
    )
    expect(row).toEqual({ chosen: false, recent: true })
  })

  const wrong: [field: keyof InfluencerFields, value: unknown, message: string][] = [
    ['name', 'Jo', 'Nome deve ter pelo menos 3 caracteres'],
    ['email', 'sicrana', 'Email inválido'],
    ['whatsapp', '119876543', 'Número deve ter pelo menos 10 dígitos'],
    ['whatsapp', '119876543210', 'Número deve ter no máximo 11 dígitos'],
    ['whatsapp', '11 98765-4321', 'Apenas números são permitidos'],
    ['cidade', 'X', 'Cidade deve ter pelo menos 2 caracteres'],
    ['estado', '', 'Estado é obrigatório'],
    ['estado', 'XX', 'Estado é obrigatório'],
    ['redesSociais', '@a', 'Informe pelo menos uma rede social'],
    ['tasks', [], 'Selecione pelo menos uma tarefa'],
    ['tasks', ['QUERO CRIAR CONTEÚDO'], 'Selecione pelo menos uma tarefa'],
  ]
  test.each(wrong)('with %s %j is refused with its message', async (field, value, message) => {
    const answer = await applyAsInfluencer({ ...anInfluencer(), [field]: value })

    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ success: false, message })
    expect(await stored()).toEqual(empty)
  })

  test('without any field is refused with all required fields', async () => {
    const answer = await applyAsInfluencer({})

    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({
      success: false,
      message: 'Nome deve ter pelo menos 3 caracteres',
      code: 'invalid',
      errors: {
        name: 'Nome deve ter pelo menos 3 caracteres',
        email: 'Email inválido',
        whatsapp: 'Número deve ter pelo menos 10 dígitos',
        cidade: 'Cidade deve ter pelo menos 2 caracteres',
        estado: 'Estado é obrigatório',
        redesSociais: 'Informe pelo menos uma rede social',
        tasks: 'Selecione pelo menos uma tarefa',
      },
    })
  })

  test('with arbitrary content is answered with a 201 or a 4xx', () =>
    sendArbitraryInput(site, '/api/lideres', anInfluencer))
})

describe('a leader’s application', () => {
  test('is stored and queued for delivery before the answer', async () => {
    const application = aLeader({
      genero: 'nao-binario',
      experiencia: 'Primeira linha\r\nSegunda linha',
      redes_sociais: '@lider',
      aceitaNovidades: true,
    })

    const answer = await applyAsLeader(application)

    expect(answer.status).toBe(201)
    expect(await answer.json()).toEqual({ success: true, message: 'Cadastro Realizado com Sucesso!' })
    const [row] = await site.rows('select * from lideres')
    expect(row).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      nome: application.nome,
      email: application.email,
      whatsapp: application.whatsapp,
      cpfConfere: true,
      ...{ nascimento: null, endereco: null, cep: null },
      genero: 'nao-binario',
      profissao: 'Padeiro de ofício',
      cidade: 'Cidade Inventada',
      estado: 'SP',
      experiencia: 'Primeira linha\nSegunda linha',
      motivacao: application.motivacao,
      disponibilidade: ['manha', 'fins-de-semana'],
      redes_sociais: '@lider',
      aceita_termos: true,
      aceitaNovidades: true,
      versaoConsentimento: '2026-11-19',
    })
    expect(await site.rows('select kind, payload from outbox')).toEqual([{ kind: 'lider', payload: [row?.id] }])
  })

  test('has a CPF that only the key decrypts, with an index that does not depend on punctuation', async () => {
    const application = aLeader()
    const digits = application.cpf.replace(/\D/g, '')

    await applyAsLeader(application)
    await applyAsLeader(aLeader({ cpf: digits }))
    await applyAsLeader(aLeader())

    const rows = await site.rows<{ id: string; encryptedCpf: Buffer; cpfDigest: Buffer; whole: string }>(
      'select id, "encryptedCpf", "cpfDigest", lideres::text as whole from lideres order by id',
    )
    expect(rows).toHaveLength(3)
    const [first, same, other] = rows
    const { decrypt } = createEncryption(testConfig().dataKey ?? '')
    expect(decrypt(first?.encryptedCpf ?? Buffer.of(), first?.id ?? '')).toBe(application.cpf)
    expect(first?.cpfDigest).toEqual(same?.cpfDigest)
    expect(first?.encryptedCpf).not.toEqual(same?.encryptedCpf)
    expect(first?.cpfDigest).not.toEqual(other?.cpfDigest)
    const inHex = [application.cpf, digits].map((text) => Buffer.from(text).toString('hex'))
    for (const { whole } of rows) {
      for (const text of [application.cpf, digits, ...inHex]) expect(whole).not.toContain(text)
    }
  })

  test('has birth date, address and CEP that only the key decrypts, and only in their own record', async () => {
    const application = aLeader({ cep: '01310-987' })
    await applyAsLeader(application)
    await applyAsLeader(aLeader())

    const [first, other] = await site.rows<StoredReservedData & { whole: string }>(
      'select *, lideres::text as whole from lideres order by id',
    )
    if (!first || !other) throw new Error('not stored')
    const encryption = createEncryption(testConfig().dataKey ?? '')
    const { cpf, nascimento, endereco, cep } = application
    expect(decryptReserved(encryption, first)).toEqual({ cpf, nascimento, endereco, cep })
    for (const text of [nascimento, endereco, cep])
      for (const form of [text, Buffer.from(text).toString('hex')]) expect(first.whole).not.toContain(form)
    const none = { cpf: null, nascimento: null, endereco: null, cep: null }
    expect(decryptReserved(encryption, { ...first, id: other.id })).toEqual(none)
    // The values of one record cannot be exchanged either.
    expect(decryptReserved(encryption, { ...first, encryptedCpf: first.encryptedReserved ?? Buffer.of() })).toEqual({
      ...{ cpf: null, nascimento, endereco, cep },
    })
  })

  test('stored by an earlier version is encrypted in pages, by several nodes at once, and stays readable', async () => {
    const application = aLeader({ nascimento: '1961-10-05' })
    await applyAsLeader(application)
    // What earlier versions have stored, more than two pages of it.
    await site.rows(
      `insert into lideres select (jsonb_populate_record(l, jsonb_build_object('id', gen_random_uuid(), 'requestId', gen_random_uuid(),
        'encryptedReserved', null, 'nascimento', '1961-10-05', 'endereco', 'Rua Antiga, ' || n, 'cep', '01310-' || n))).*
      from lideres l, generate_series(100, 600) n`,
    )
    const encryption = createEncryption(testConfig().dataKey ?? '')
    const database = openDatabase(site.engine, createLog('warn'), site.addressKey)
    const converted = await Promise.all([convertAll(database, encryption), convertAll(database, encryption)])
    await database.close()

    expect(converted[0] + converted[1]).toBe(501)
    const rows = await site.rows<StoredReservedData>(
      `select * from lideres where "encryptedReserved" is not null and nascimento is null and endereco is null and cep is null`,
    )
    expect(rows).toHaveLength(502)
    const read = rows.map((row) => decryptReserved(encryption, row))
    expect(new Set(read.map(({ cep }) => cep)).size).toBe(502)
    expect(new Set(read.map(({ nascimento }) => nascimento))).toEqual(new Set(['1961-10-05']))
    const admin = await enter(site)
    const old = rows.find((row) => decryptReserved(encryption, row).cep === '01310-357')
    expect(await admin.ask('POST', `/api/admin/pessoas/lideres/${old?.id}/revelar`)).toMatchObject({
      ...{ nascimento: '1961-10-05', endereco: 'Rua Antiga, 357', cep: '01310-357' },
    })
  })

  test('with wrong check digits is stored and marked', async () => {
    expect((await applyAsLeader(aLeader({ cpf: '123.456.789-00' }))).status).toBe(201)

    expect(await site.rows('select "cpfConfere" from lideres')).toEqual([{ cpfConfere: false }])
  })

  test('without optional fields is stored', async () => {
    await applyAsLeader(aLeader({ experiencia: '  ' }))

    expect(await site.rows('select experiencia, redes_sociais, "aceitaNovidades" from lideres')).toEqual([
      { experiencia: null, redes_sociais: null, aceitaNovidades: false },
    ])
  })

  test('with a repeated request id gets the same answer and is stored once', async () => {
    const application = aLeader()
    const headers = { 'x-request-id': crypto.randomUUID() }

    const answers = await Promise.all(Array.from({ length: 20 }, () => applyAsLeader(application, headers)))

    expect(new Set(await Promise.all(answers.map(completeResponse))).size).toBe(1)
    expect(await stored()).toEqual({ ...empty, leaders: 1, queued: 1 })
  })

  test('with a filled honeypot gets the same answer byte for byte and is not stored', async () => {
    const person = await applyAsLeader(aLeader())
    await site.empty()

    const robot = await applyAsLeader(aLeader({ honeypot: 'x' }))

    expect(await completeResponse(robot)).toBe(await completeResponse(person))
    expect(await stored()).toEqual(empty)
  })

  test.each([[['noite']], [['manha', 'feriados', 'eventos-especiais']]])(
    'without JavaScript can have %j',
    async (disponibilidade) => {
      const { aceita_termos: _, ...application } = aLeader({ disponibilidade })

      const answer = await postForm(`${site.url}/api/formulario-lideres`, { ...application, aceita_termos: 'on' })

      expect(answer.status).toBe(201)
      expect(await site.rows('select disponibilidade from lideres')).toEqual([{ disponibilidade }])
    },
  )

  test('cannot set other fields', async () => {
    const id = crypto.randomUUID()

    await applyAsLeader({
      ...aLeader({ cpf: '123.456.789-00' }),
      id,
      requestId: id,
      createdAt: '2001-01-01',
      cpfConfere: true,
      encryptedCpf: 'x',
      cpfDigest: 'x',
    })

    const [row] = await site.rows(
      `select id = $1 or "requestId" = $1 as chosen, "createdAt" > now() - interval '1 minute' as recent, "cpfConfere",
         length("cpfDigest") as index from lideres`,
      [id],
    )
    expect(row).toEqual({ chosen: false, recent: true, cpfConfere: false, index: 32 })
  })

  test('is stored although the database fails briefly', async () => {
    const repair = await failInserts(site, { table: 'lideres', code: '40P01', times: 2 })

    const answer = await applyAsLeader(aLeader())

    await repair()
    expect(answer.status).toBe(201)
    expect(await stored()).toEqual({ ...empty, leaders: 1, queued: 1 })
  })

  const minorBirth = `${new Date().getUTCFullYear() - 17}-01-01`
  const wrong: [field: keyof LeaderFields, value: unknown, message: string][] = [
    ['nome', 'J', 'Nome deve ter pelo menos 2 caracteres'],
    ['email', 'lider@', 'Email inválido'],
    ['whatsapp', '119876543', 'Número deve ter pelo menos 10 dígitos'],
    ['whatsapp', '11 98765-4321x', 'Formato de telefone inválido'],
    ['cpf', '1234567890', 'CPF deve ter 11 dígitos'],
    ['cpf', 'onze letras', 'CPF deve ter 11 dígitos'],
    ['nascimento', '', 'Informe sua data de nascimento'],
    ['nascimento', '2001-02-30', 'Informe sua data de nascimento'],
    ['nascimento', '2099-01-01', 'Informe sua data de nascimento'],
    ['nascimento', minorBirth, 'Obrigado pelo interesse! Para ser líder é preciso ter 18 anos ou mais'],
    ['genero', '', 'Escolha uma opção de gênero'],
    ['profissao', ' ', 'Informe sua profissão'],
    ['endereco', 'Rua', 'Endereço deve ter pelo menos 5 caracteres'],
    ['cidade', 'X', 'Cidade deve ter pelo menos 2 caracteres'],
    ['estado', 'XX', 'Estado é obrigatório'],
    ['cep', '1234567', 'CEP deve ter 8 dígitos'],
    ['motivacao', 'Porque  ', 'Conte sua motivação em pelo menos 10 caracteres'],
    ['disponibilidade', [], 'Selecione pelo menos uma opção'],
    ['disponibilidade', ['madrugada'], 'Selecione pelo menos uma opção'],
    ['aceita_termos', false, 'Você deve aceitar os termos'],
    ['aceita_termos', undefined, 'Você deve aceitar os termos'],
  ]
  test.each(wrong)('with %s %j is refused with its message', async (field, value, message) => {
    const answer = await applyAsLeader({ ...aLeader(), [field]: value })

    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ success: false, message })
    expect(await stored()).toEqual(empty)
  })

  test('without any field is refused with all required fields', async () => {
    const answer = await applyAsLeader({})

    expect(answer.status).toBe(400)
    const { message, errors } = (await answer.json()) as { message: string; errors: object }
    expect(message).toBe('Nome deve ter pelo menos 2 caracteres')
    const optional = ['experiencia', 'redes_sociais', 'honeypot', 'aceitaNovidades']
    expect(Object.keys(errors).sort()).toEqual(
      Object.keys(aLeader())
        .filter((field) => !optional.includes(field))
        .sort(),
    )
  })

  test('with arbitrary content is answered with a 201 or a 4xx', () =>
    sendArbitraryInput(site, '/api/formulario-lideres', aLeader))
})

describe('without DATA_KEY', () => {
  let withoutKey: TestSite
  beforeAll(async () => {
    withoutKey = await openTestSite({ DATA_KEY: '' })
  })
  afterAll(() => withoutKey.close())

  test('the leaders’ form is closed with or without a filled honeypot, stores nothing and says so in Portuguese', async () => {
    const apply = (application: object) => postJson(`${withoutKey.url}/api/formulario-lideres`, application)

    const person = await apply(aLeader())
    const robot = await apply(aLeader({ honeypot: 'x' }))

    expect(person.status).toBe(503)
    expect(person.headers.get('retry-after')).toBe('3')
    const whole = await completeResponse(person)
    expect(whole).toContain('O cadastro de líderes está fora do ar neste momento')
    expect(await completeResponse(robot)).toBe(whole)
    expect(await withoutKey.rows('select 1 from lideres')).toEqual([])
  })

  test('everything else works', async () => {
    expect((await postJson(`${withoutKey.url}/api/lideres`, anInfluencer())).status).toBe(201)
  })

  test('the status page shows that the form is closed', async () => {
    const { leaderForm, failures } = await (await enter(withoutKey)).ask<SystemStatus>('GET', '/api/admin/sistema')
    expect(leaderForm).toBe('closed')
    expect(failures.map(({ message }) => message)).toContain('DATA_KEY is not set: the leaders’ form is closed')
  })

  test('the log names the missing setting once', () => {
    const warnings = withoutKey.logged().filter((line) => line.includes('DATA_KEY is not set'))

    expect(warnings).toHaveLength(1)
    expect(JSON.parse(warnings[0] ?? '')).toMatchObject({ level: 40 })
  })
})
