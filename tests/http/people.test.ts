// Lists of people in the admin area: search, filters, pages, reserved data and erasure.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addressHmacSql } from '#server/db/mailbox.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { countTables, signatureCountsSql } from '#tests/helpers/count-rows.ts'
import { aContact, aLeader, anInfluencer, aSignature } from '#tests/helpers/factories.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let admin: Administrator
beforeAll(async () => {
  site = await openTestSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.empty()
  await site.rows('delete from busca_pessoas')
  await site.rows(`update busca_pessoas_marcas set "indexedUpTo" = '00000000-0000-0000-0000-000000000000'`)
  admin = await enter(site)
})

async function send(path: string, body: object): Promise<void> {
  const answer = await fetch(site.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status, await answer.text()).toBe(201)
}
const sign = (fields: Parameters<typeof aSignature>[0] = {}, campaign = 'juros') =>
  send(`/api/campaigns/${campaign}/signatures`, aSignature(fields))

interface Page {
  pessoas: { id: string; nome: string; email: string; campanha?: string; confirmadoEm?: string; cpf?: string }[]
  temAntes: boolean
  temDepois: boolean
}
const list = (tipo: string, filters: Record<string, string> = {}) =>
  admin.ask<Page>('GET', `/api/admin/pessoas/${tipo}?${new URLSearchParams(filters)}`)
const count = (tipo: string, filters: Record<string, string> = {}) =>
  admin.ask<{ total: number; exato: boolean }>(
    'GET',
    `/api/admin/pessoas/${tipo}/total?${new URLSearchParams(filters)}`,
  )

/** The names that a filter finds. The total must agree. */
async function found(tipo: string, filters: Record<string, string>): Promise<string[]> {
  const { pessoas } = await list(tipo, filters)
  expect(await count(tipo, filters)).toMatchObject({ total: pessoas.length, exato: true })
  return pessoas.map(({ nome }) => nome)
}

/** Moves all records into the past, so that the search index includes them, and waits for the index. */
async function waitForIndex(): Promise<void> {
  const tables = {
    assinaturas: 'peticoes',
    voluntarios: 'contacts',
    influenciadores: 'influenciadores',
    lideres: 'lideres',
  }
  for (const table of Object.values(tables))
    await site.rows(`update ${table} set id = ('0190' || substr(id::text, 5))::uuid`)
  await expect
    .poll(
      async () => {
        await list('assinaturas')
        const [row] = await site.rows<{ n: number }>(
          `select (select count(*) from peticoes) + (select count(*) from contacts) + (select count(*) from influenciadores)
        + (select count(*) from lideres) - (select count(*) from busca_pessoas) as n`,
        )
        return Number(row?.n)
      },
      { timeout: 20_000 },
    )
    .toBe(0)
}

test('the newest come first, in pages forwards and backwards', async () => {
  for (let n = 0; n < 60; n++) await sign({ nome: `Pessoa Fictícia ${String(n).padStart(2, '0')}` })

  const first = await list('assinaturas')
  const second = await list('assinaturas', { antes: String(first.pessoas.at(-1)?.id) })
  const third = await list('assinaturas', { antes: String(second.pessoas.at(-1)?.id) })
  const back = await list('assinaturas', { depois: String(third.pessoas[0]?.id) })

  const all = [first, second, third].flatMap(({ pessoas }) => pessoas.map(({ nome }) => nome))
  expect(all).toEqual(Array.from({ length: 60 }, (_, n) => `Pessoa Fictícia ${String(59 - n).padStart(2, '0')}`))
  expect([first, second, third].map(({ temAntes, temDepois }) => [temDepois, temAntes])).toEqual([
    [false, true],
    [true, true],
    [true, false],
  ])
  expect(back.pessoas).toEqual(second.pessoas)
  expect(await count('assinaturas')).toMatchObject({ total: 60, exato: true })
})

test('a total that would take too long to count is a lower bound', async () => {
  await sign({ nome: 'Primeira de Todas' })
  await site.rows(`update peticoes set id = '01900000-0000-7000-8000-000000000000', "confirmadoEm" = now()`)
  await site.rows(
    `insert into peticoes (id, "requestId", campanha, nome, email, "canonicalEmail", whatsapp, cidade, estado, "versaoConsentimento")
    select gen_random_uuid(), gen_random_uuid(), 'juros', 'Fulana ' || n, n || '@example.org', n || '@example.org', '', '', 'SP', '1'
    from generate_series(1, 21000) n`,
  )

  expect(await count('assinaturas', { confirmada: 'nao' })).toMatchObject({ total: 10_000, exato: false })
  expect(await count('assinaturas', { confirmada: 'sim' })).toMatchObject({ total: 0, exato: false })
  expect((await list('assinaturas', { confirmada: 'sim' })).pessoas.map(({ nome }) => nome)).toEqual([
    'Primeira de Todas',
  ])
})

test.each(['just now', 'long ago'])(
  'the search ignores accents, case and word order, of a signature made %s',
  async (when) => {
    await sign({ nome: 'João D’Ávila Conceição', email: `joao.conceicao.${process.pid}@example.org` })
    await sign({ nome: 'JOANA da Conceicao' })
    await sign({ nome: 'Ana-Lúcia Joa\u0303ozinho' })
    await sign({ nome: 'Maria de Outra Parte' })
    if (when === 'long ago') await waitForIndex()

    expect((await found('assinaturas', { busca: 'conceição' })).toSorted()).toEqual([
      'JOANA da Conceicao',
      'João D’Ávila Conceição',
    ])
    expect(await found('assinaturas', { busca: 'CONCEI joão' })).toEqual(['João D’Ávila Conceição'])
    expect(await found('assinaturas', { busca: "d'avila" })).toEqual(['João D’Ávila Conceição'])
    expect(await found('assinaturas', { busca: 'lucia' })).toEqual(['Ana-Lúcia Joa\u0303ozinho'])
    expect(await found('assinaturas', { busca: 'joaozinho' })).toEqual(['Ana-Lúcia Joa\u0303ozinho'])
    expect(await found('assinaturas', { busca: `joao.conceicao.${process.pid}` })).toEqual(['João D’Ávila Conceição'])
    expect(await found('assinaturas', { busca: `Joao.Conceicao.${process.pid}@Example.org` })).toEqual([
      'João D’Ávila Conceição',
    ])
    expect(await found('assinaturas', { busca: 'ninguem com este nome' })).toEqual([])
    expect(await found('assinaturas', { busca: '...' })).toEqual([])
    expect(await found('assinaturas', { busca: `'&|!<->:*\\` })).toEqual([])
  },
)

test.each(['just now', 'long ago'])(
  'the search finds every spelling of a mailbox, of a signature made %s',
  async (when) => {
    await sign({ nome: 'Fulana do Correio', email: `f.u.lana${process.pid}+luta@gmail.com` })
    if (when === 'long ago') await waitForIndex()
    expect(await found('assinaturas', { busca: `fulana${process.pid}@gmail.com` })).toEqual(['Fulana do Correio'])
    expect(await found('assinaturas', { busca: `f.u.lana${process.pid}+luta@gmail.com` })).toEqual([
      'Fulana do Correio',
    ])
  },
)

test.each(['just now', 'long ago'])('the search finds a phone in any notation, of a record made %s', async (when) => {
  await sign({ nome: 'Com Código do País', whatsapp: '+55 (55) 98123-4567' })
  await sign({ nome: 'Com Zero na Frente', whatsapp: '055 8123-4567' })
  await sign({ nome: 'De Outra Cidade', whatsapp: '(11) 98123-4567' })
  await sign({ nome: 'Sem Código da Área', whatsapp: '98123-4567' })
  await sign({ nome: 'Da Bahia, com País', whatsapp: '+55 (71) 97654-3210' })
  await send('/api/contacts', aContact({ name: 'Voluntária Daqui', whatsapp: '55981234567' }))
  if (when === 'long ago') await waitForIndex()

  const sameArea = ['Com Código do País', 'Com Zero na Frente', 'Sem Código da Área']
  for (const typed of ['(55) 98123-4567', '5598 1234567', '+55 55 8123.4567', '055981234567'])
    expect((await found('assinaturas', { busca: typed })).toSorted(), typed).toEqual(sameArea)
  for (const typed of ['(71) 97654-3210', '+55 71 7654-3210', '7176543210', '976543210'])
    expect(await found('assinaturas', { busca: typed }), typed).toEqual(['Da Bahia, com País'])
  expect(await found('assinaturas', { busca: '8123-4567' })).toHaveLength(4)
  expect(await found('voluntarios', { busca: '55 98123 4567' })).toEqual(['Voluntária Daqui'])
})

test.each(['just now', 'long ago'])('filters narrow the list, of records made %s', async (when) => {
  await sign({ nome: 'Fulana de Santos', cidade: 'Santos', estado: 'SP' })
  await sign({ nome: 'Fulana de São Vicente', cidade: 'SÃO-VICENTE', estado: 'SP' })
  await sign({ nome: 'Fulana do Rio', cidade: 'Rio de Janeiro', estado: 'RJ' })
  await sign({ nome: 'Fulana da Paz', cidade: 'Santos', estado: 'SP' }, 'brasilquerpaz')
  await send('/api/lideres', anInfluencer({ name: 'Influente de Eventos', tasks: ['ORGANIZAR EVENTOS LOCAIS'] }))
  await send('/api/lideres', anInfluencer({ name: 'Influente Criadora', estado: 'BA' }))
  await send('/api/formulario-lideres', aLeader({ nome: 'Líder da Noite', disponibilidade: ['noite'] }))
  await send('/api/formulario-lideres', aLeader({ nome: 'Líder da Manhã' }))
  if (when === 'long ago') await waitForIndex()

  expect(await found('assinaturas', { estado: 'RJ' })).toEqual(['Fulana do Rio'])
  expect(await found('assinaturas', { estado: 'SP', cidade: 'sao vicente' })).toEqual(['Fulana de São Vicente'])
  expect((await found('assinaturas', { cidade: 'Santos' })).toSorted()).toEqual(['Fulana da Paz', 'Fulana de Santos'])
  expect(await found('assinaturas', { campanha: 'brasilquerpaz' })).toEqual(['Fulana da Paz'])
  expect(await found('assinaturas', { campanha: 'juros', cidade: 'santos', busca: 'fulana' })).toEqual([
    'Fulana de Santos',
  ])
  expect(await found('influenciadores', { tarefa: 'ORGANIZAR EVENTOS LOCAIS' })).toEqual(['Influente de Eventos'])
  expect(await found('influenciadores', { estado: 'BA', campanha: 'juros' })).toEqual(['Influente Criadora'])
  expect(await found('lideres', { tarefa: 'noite' })).toEqual(['Líder da Noite'])
})

test('a day is a day in Brazil', async () => {
  for (const [nome, time] of Object.entries({
    'Véspera às 23h59': '2026-03-09T23:59:59-03:00',
    'Primeira do dia': '2026-03-10T00:00:00-03:00',
    'Última do dia': '2026-03-10T23:59:59-03:00',
    'Depois da meia-noite': '2026-03-11T00:00:00-03:00',
  })) {
    await sign({ nome })
    const ms = Date.parse(time).toString(16).padStart(12, '0')
    const { id } = (await list('assinaturas', { busca: nome })).pessoas[0] ?? {}
    await site.rows(`update peticoes set "createdAt" = $2, id = ($3 || substr(id::text, 14))::uuid where id = $1`, [
      id,
      time,
      `${ms.slice(0, 8)}-${ms.slice(8)}`,
    ])
  }
  await site.rows(`truncate ${countTables}`)
  await site.rows(
    `insert into signature_count_changes select campanha, estado, date_trunc('hour', "createdAt"), count(*) from peticoes group by 1, 2, 3`,
  )

  expect(await found('assinaturas', { de: '2026-03-10', ate: '2026-03-10' })).toEqual([
    'Última do dia',
    'Primeira do dia',
  ])
  expect(await found('assinaturas', { de: '2026-03-11' })).toEqual(['Depois da meia-noite'])
  expect(await found('assinaturas', { ate: '2026-03-09', estado: 'SP', busca: 'vespera' })).toEqual([
    'Véspera às 23h59',
  ])
})

test('a confirmation and a removal are in the list at once', async () => {
  await sign({ nome: 'Fulana Confirmada' })
  await sign({ nome: 'Fulana Que Saiu' })
  await sign({ nome: 'Fulana Calada' })
  await waitForIndex()

  await site.rows(`update peticoes set "confirmadoEm" = now() where nome = 'Fulana Confirmada'`)
  await site.rows(`delete from peticoes where nome = 'Fulana Que Saiu'`)

  expect(await found('assinaturas', { confirmada: 'sim' })).toEqual(['Fulana Confirmada'])
  expect(await found('assinaturas', { confirmada: 'nao', busca: 'fulana' })).toEqual(['Fulana Calada'])
  expect(await found('assinaturas', { busca: 'fulana saiu' })).toEqual([])
  expect(await site.rows(`select from busca_pessoas where words @@ '''an:saiu'''::tsquery`)).toEqual([])
})

test('a record with an old id is found by a later pass of the index', async () => {
  await sign({ nome: 'Fulana Pontual' })
  await waitForIndex()
  await sign({ nome: 'Fulana Atrasada' })
  // This id is from a time that the index has already processed.
  await site.rows(`update peticoes set id = ('018f' || substr(id::text, 5))::uuid where nome = 'Fulana Atrasada'`)
  await site.rows(
    `update busca_pessoas_marcas set "indexedUpTo" = '018f0000-0000-0000-0000-000000000000' where "lagSeconds" = 600`,
  )

  await expect
    .poll(async () => (await list('assinaturas', { busca: 'atrasada' })).pessoas.length, { timeout: 20_000 })
    .toBe(1)
})

test('while the index is far behind, frequent terms are found, and rare ones are answered with a 503', {
  tags: ['slow'],
}, async () => {
  // Ids of the future, which the index does not include.
  for (let first = 1; first <= 50_002; first += 5_000)
    await site.rows(
      `insert into peticoes (id, nome, email, "canonicalEmail", whatsapp, cidade, estado, "requestId", "versaoConsentimento")
      select ('0fffffff' || lpad(to_hex(n), 4, '0') || '70008000000000000000')::uuid, 'Fulano Vindouro', n || '@example.org', n || '@example.org',
        '', 'Cidade Exemplo', 'SP', gen_random_uuid(), '1' from generate_series($1::int, least($1::int + 4999, 50002)) n`,
      [first],
    )
  await sign({ nome: 'Fulana de Agora' })

  expect((await list('assinaturas', { busca: 'vindouro', estado: 'SP' })).pessoas).toHaveLength(25)
  const rare = await admin.call('GET', '/api/admin/pessoas/assinaturas?busca=agora')
  expect([rare.status, await rare.json()]).toMatchObject([
    503,
    { message: 'A busca ainda está sendo preparada. Tente de novo em alguns minutos.' },
  ])
  const unfiltered = await list('assinaturas')
  const record = await admin.ask('GET', `/api/admin/pessoas/assinaturas/${unfiltered.pessoas[0]?.id}`)
  expect(record).toMatchObject({ pessoa: { nome: 'Fulano Vindouro' }, outros: null })
})

test('a CPF is masked until it is revealed, which is in the audit log', async () => {
  const leader = aLeader({ nome: 'Líder Discreta', cpf: '529.982.247-25', nascimento: '1980-12-31' })
  await send('/api/formulario-lideres', leader)
  const listed = await admin.call('GET', '/api/admin/pessoas/lideres')
  const text = await listed.text()
  const { id, cpf } = (JSON.parse(text) as Page).pessoas[0] ?? {}
  expect(cpf).toBe('•••.982.247-••')

  const details = await (await admin.call('GET', `/api/admin/pessoas/lideres/${id}`)).text()
  for (const reserved of ['529.982.247-25', '52998224725', '1980-12-31', leader.endereco, leader.cep])
    expect(text + details).not.toContain(reserved)
  expect(await site.rows(`select action from admin_actions where action like 'Revelou%'`)).toEqual([])

  const revealed = await admin.ask('POST', `/api/admin/pessoas/lideres/${id}/revelar`)
  expect(revealed).toMatchObject({
    cpf: leader.cpf,
    nascimento: '1980-12-31',
    endereco: leader.endereco,
    cep: leader.cep,
  })
  expect(await site.rows(`select username, action, target from admin_actions where action like 'Revelou%'`)).toEqual([
    { username: 'admin', action: 'Revelou dados reservados de líder', target: `lideres ${id}` },
  ])
})

test('a record shows the chatbot conversations with its phone or address, and no others', async () => {
  const email = `quem.conversou.${process.pid}@example.org`
  await sign({ nome: 'Fulana Que Conversou', email, whatsapp: '(11) 98765-4321' })
  await site.rows(`
    insert into bot_conversas ("subscriberId", email, telefone, "ultimaEm") values
      ('mesmo-telefone', null, '1187654321', '2026-03-01 12:00-03'),
      ('mesmo-endereco', '${email.toUpperCase()}', null, '2026-02-01 12:00-03'),
      ('outro-ddd', null, '2187654321', now()),
      ('endereco-maior', 'x.${email}', null, now()),
      ('sem-nada', null, null, now())`)
  const id = (await list('assinaturas', { campanha: 'juros' })).pessoas[0]?.id
  const expected = await site.rows<{ id: string }>(
    `select id from bot_conversas where "subscriberId" like 'mesmo%' order by "ultimaEm"`,
  )
  const { conversas } = await admin.ask<{ conversas: { id: number; ultimaEm: string }[] }>(
    'GET',
    `/api/admin/pessoas/assinaturas/${id}`,
  )
  expect(conversas.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => Number(id)).sort())
  await site.rows('delete from bot_conversas')
})

test('a record shows all records of its mailbox, and each can be erased', async () => {
  const email = `toda.parte.${process.pid}@example.org`
  await sign({ nome: 'Fulana de Toda Parte', email })
  await sign({ nome: 'Fulana de Toda Parte', email }, 'brasilquerpaz')
  await send('/api/contacts', aContact({ name: 'Fulana de Toda Parte', email }))
  await waitForIndex()
  const id = (await list('assinaturas', { campanha: 'juros' })).pessoas[0]?.id
  const { outros } = await admin.ask<{ outros: { tipo: string; id: string }[] }>(
    'GET',
    `/api/admin/pessoas/assinaturas/${id}`,
  )
  expect(outros.map(({ tipo }) => tipo)).toEqual(['assinaturas', 'voluntarios'])

  await site.rows(
    `insert into emails_por_endereco ("addressHmac", campanha, n)
    select ${addressHmacSql('$1::text')}, unnest(array['juros', 'brasilquerpaz', '#voluntario']), generate_series(1, 3)`,
    [email],
  )

  await admin.ask('DELETE', `/api/admin/pessoas/assinaturas/${id}`)
  for (const other of outros) await admin.ask('DELETE', `/api/admin/pessoas/${other.tipo}/${other.id}`)

  expect(
    await site.rows('select 1 from peticoes union all select 1 from contacts union all select 1 from busca_pessoas'),
  ).toEqual([])
  expect(await site.rows(`select coalesce(sum(n), 0)::int as n from ${signatureCountsSql}`)).toEqual([{ n: 0 }])
  expect(await site.rows('select campanha, n from emails_por_endereco')).toEqual([{ campanha: '', n: 3 }])
  const again = await admin.call('DELETE', `/api/admin/pessoas/assinaturas/${id}`)
  expect([again.status, await again.json()]).toMatchObject([
    404,
    { message: 'Este registro não existe ou já foi apagado.' },
  ])
  const [entry] = await site.rows(`select action, target from admin_actions where action like 'Apagou%' order by id`)
  expect(entry).toEqual({ action: 'Apagou os dados de uma pessoa', target: `assinaturas ${id}` })
  const lines = await site.rows(`select payload->>'id' as id from outbox where kind = 'planilha-remover'`)
  expect(lines).toHaveLength(3)
})

test.each([
  ['/api/admin/pessoas/todos', 404, 'Lista não encontrada.'],
  ['/api/admin/pessoas/assinaturas?estado=XX', 400, 'Escolha um estado da lista.'],
  ['/api/admin/pessoas/assinaturas?de=2026-02-31', 400, 'Data inválida. Exemplo: 2026-11-15.'],
  ['/api/admin/pessoas/assinaturas?antes=1', 400, 'Página inválida'],
  ['/api/admin/pessoas/assinaturas?confirmada=talvez', 400, 'Escolha confirmadas ou não confirmadas.'],
  ['/api/admin/pessoas/assinaturas?busca=%00', 400, 'Escreva até 200 letras ou números na busca.'],
  ['/api/admin/pessoas/assinaturas/exportar?formato=pdf', 400, 'Escolha CSV ou XLSX.'],
  ['/api/admin/pessoas/lideres/1', 404, 'Este registro não existe ou já foi apagado.'],
])('%s is refused with a message', async (path, status, message) => {
  const answer = await admin.call('GET', path)
  expect([answer.status, await answer.json()]).toMatchObject([status, { message }])
})
