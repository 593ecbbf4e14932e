// Status, owner, tags and notes of people: edits, filters, exports, the page of a person and erasure.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { adminMessages } from '#contract/admin/messages.ts'
import { addressHmacSql } from '#server/db/mailbox.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { readCsv } from '#tests/helpers/csv-reader.ts'
import { downloadExport } from '#tests/helpers/exported.ts'
import { aContact, aLeader, aSignature } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'
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
  await site.rows(`delete from admin_users where username <> 'admin'`)
  admin = await enter(site)
})

async function addLeader(fields: Parameters<typeof aLeader>[0] = {}): Promise<string> {
  const leader = aLeader(fields)
  expect((await postJson(`${site.url}/api/formulario-lideres`, leader)).status).toBe(201)
  const [row] = await site.rows<{ id: string }>('select id from lideres where email = $1', [leader.email])
  return String(row?.id)
}
const edit = (id: string, changes: object, tipo = 'lideres') =>
  admin.call('PATCH', `/api/admin/pessoas/${tipo}/${id}/acompanhamento`, changes)
const list = (filters: Record<string, string>, tipo = 'lideres') =>
  admin.ask<{
    pessoas: { id: string; nome: string; status: string; responsavel: string | null; etiquetas: string[] }[]
  }>('GET', `/api/admin/pessoas/${tipo}?${new URLSearchParams(filters)}`)
/** The names that a filter finds, in the order of the list. The total must agree. */
async function found(filters: Record<string, string>, tipo = 'lideres'): Promise<string[]> {
  const { pessoas } = await list(filters, tipo)
  const { total } = await admin.ask<{ total: number }>(
    'GET',
    `/api/admin/pessoas/${tipo}/total?${new URLSearchParams(filters)}`,
  )
  expect(total).toBe(pessoas.length)
  return pessoas.map(({ nome }) => nome)
}
interface Details {
  pessoa: { status: string; responsavel: string | null; etiquetas: string[] }
  outros: { tipo: string; status: string }[]
  notas: { id: number; autor: string; texto: string }[]
  emails: { enviados: object[]; aguardando: number; paradas: number; descadastradoEm: string | null }
}
const read = (id: string, tipo = 'lideres') => admin.ask<Details>('GET', `/api/admin/pessoas/${tipo}/${id}`)

test('a new record is novo, and keeps the status, owner and tags that it is given', async () => {
  const id = await addLeader()
  expect((await read(id)).pessoa).toMatchObject({ status: 'novo', responsavel: null, etiquetas: [] })

  const changes = { status: 'em-contato', responsavel: 'admin', incluir: ['#Zona  Sul', 'imprensa', 'ZONA SUL'] }
  expect(await (await edit(id, changes)).json()).toMatchObject({
    status: 'em-contato',
    responsavel: 'admin',
    etiquetas: ['zona sul', 'imprensa'],
  })
  await edit(id, { status: 'ativo' })

  expect((await read(id)).pessoa).toMatchObject({
    status: 'ativo',
    responsavel: 'admin',
    etiquetas: ['zona sul', 'imprensa'],
  })
  expect((await list({})).pessoas[0]).toMatchObject({ status: 'ativo', responsavel: 'admin' })
  const entries = await site.rows(
    `select target, changes from admin_actions where action = 'Alterou o acompanhamento de uma pessoa' order by id`,
  )
  expect(entries).toEqual([
    {
      target: `lideres ${id}`,
      changes: [
        { field: 'situação', before: 'Novo', after: 'Em contato' },
        { field: 'responsável', before: '', after: 'admin' },
        { field: 'etiquetas', before: '0', after: '2 (+2 −0)' },
      ],
    },
    { target: `lideres ${id}`, changes: [{ field: 'situação', before: 'Em contato', after: 'Ativo' }] },
  ])
})

test('tags that two organisers add and remove at the same time are all kept', async () => {
  const id = await addLeader()
  await edit(id, { incluir: ['antiga', 'fica'] })
  await Promise.all([edit(id, { incluir: ['uma'], tirar: ['antiga'] }), edit(id, { incluir: ['outra'] })])
  expect((await read(id)).pessoa.etiquetas.toSorted()).toEqual(['fica', 'outra', 'uma'])
})

test.each([
  ['an unknown status', { status: 'velho' }, adminMessages.workflow.status],
  ['an unknown owner', { responsavel: 'ninguem-assim' }, adminMessages.workflow.ownerUnknown],
  ['a long tag', { incluir: ['x'.repeat(41)] }, adminMessages.workflow.tagLong],
  ['a tag with a comma', { incluir: ['a,b'] }, adminMessages.workflow.tagComma],
  ['an empty tag', { incluir: [' # '] }, adminMessages.workflow.tagEmpty],
  ['too many tags', { incluir: Array.from({ length: 21 }, (_, n) => `t${n}`) }, adminMessages.workflow.tooManyTags],
  ['no change', {}, adminMessages.workflow.nothing],
])('%s is refused and changes nothing', async (_, changes, message) => {
  const id = await addLeader()
  const answer = await edit(id, changes)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ message })
  expect(await site.rows('select * from people_workflow')).toEqual([])
})

test('a deactivated administrator cannot become an owner, and a record that does not exist cannot be edited', async () => {
  const id = await addLeader()
  await admin.ask('POST', '/api/admin/equipe', {
    username: 'fulana',
    email: 'fulana@example.org',
    password: 'senha-da-fulana-1',
  })
  await edit(id, { responsavel: 'fulana' })
  await site.rows(`update admin_users set "isActive" = false where username = 'fulana'`)
  expect((await edit(id, { responsavel: 'fulana' })).status).toBe(400)
  expect(await found({ responsavel: 'fulana' })).toHaveLength(1)
  const { equipe } = await admin.ask<{ equipe: string[] }>('GET', '/api/admin/pessoas/opcoes')
  expect(equipe).toEqual(['admin'])
  expect((await edit('01900000-0000-7000-8000-000000000000', { status: 'ativo' })).status).toBe(404)
  expect((await edit(id, { status: 'ativo' }, 'voluntarios')).status).toBe(404)
})

/** Moves all records into the past, so that the search index includes them, and waits for the index. */
async function waitForIndex(): Promise<void> {
  await site.rows(`update lideres set id = ('0190' || substr(id::text, 5))::uuid`)
  await expect
    .poll(
      async () => {
        await list({})
        return (await site.rows('select 1 from busca_pessoas')).length
      },
      { timeout: 20_000 },
    )
    .toBe((await site.rows('select 1 from lideres')).length)
}

test.each(['just now', 'long ago'])(
  'filters combine status, owner, tag, origin and place, of records made %s',
  async (when) => {
    await addLeader({ nome: 'Ana Nova', cidade: 'Santos', estado: 'SP' })
    await addLeader({ nome: 'Bia Ativa', cidade: 'Santos', estado: 'SP' })
    await addLeader({ nome: 'Caio Ativo', cidade: 'Salvador', estado: 'BA' })
    await addLeader({ nome: 'Davi Arquivado', cidade: 'Salvador', estado: 'BA' })
    await addLeader({ nome: 'Elza Zerada', cidade: 'Salvador', estado: 'BA' })
    await site.rows(`update lideres set origem = case when estado = 'SP' then 'QR-feira' else 'instagram' end`)
    if (when === 'long ago') await waitForIndex()
    const idOf = async (nome: string) =>
      String((await site.rows<{ id: string }>('select id from lideres where nome = $1', [nome]))[0]?.id)
    await edit(await idOf('Bia Ativa'), { status: 'ativo', responsavel: 'admin', incluir: ['rara', 'zona sul'] })
    await edit(await idOf('Caio Ativo'), { status: 'ativo', incluir: ['zona sul'] })
    await edit(await idOf('Davi Arquivado'), { status: 'arquivado', responsavel: 'admin' })
    await edit(await idOf('Elza Zerada'), { status: 'novo', incluir: ['zona sul'] })

    expect(await found({ status: 'ativo' })).toEqual(['Caio Ativo', 'Bia Ativa'])
    expect(await found({ status: 'novo' })).toEqual(['Elza Zerada', 'Ana Nova'])
    expect(await found({ responsavel: 'admin' })).toEqual(['Davi Arquivado', 'Bia Ativa'])
    expect(await found({ responsavel: '(ninguem)' })).toEqual(['Elza Zerada', 'Caio Ativo', 'Ana Nova'])
    expect(await found({ etiqueta: 'Zona Sul' })).toEqual(['Elza Zerada', 'Caio Ativo', 'Bia Ativa'])
    expect(await found({ etiqueta: 'zona sul', status: 'novo' })).toEqual(['Elza Zerada'])
    expect(await found({ etiqueta: 'zona sul', responsavel: '(ninguem)', estado: 'BA' })).toEqual([
      'Elza Zerada',
      'Caio Ativo',
    ])
    expect(await found({ etiqueta: 'rara', status: 'ativo', responsavel: 'admin', cidade: 'santos' })).toEqual([
      'Bia Ativa',
    ])
    expect(await found({ origem: 'qr-FEIRA' })).toEqual(['Bia Ativa', 'Ana Nova'])
    expect(await found({ origem: 'instagram', status: 'ativo' })).toEqual(['Caio Ativo'])
    expect(await found({ status: 'ativo', busca: 'bia' })).toEqual(['Bia Ativa'])
    expect(await found({ status: 'novo', busca: 'zerada' })).toEqual(['Elza Zerada'])
    expect(await found({ status: 'ativo', novidades: 'saiu' })).toEqual([])
    expect(await found({ responsavel: 'desconhecida' })).toEqual([])

    const { file } = await downloadExport(
      await admin.call('GET', '/api/admin/pessoas/lideres/exportar?formato=csv&etiqueta=zona+sul&estado=BA'),
    )
    const [titles = [], ...rows] = readCsv(file.toString().slice(1))
    expect(rows.map((row) => [row[titles.indexOf('Nome')], row[titles.indexOf('Situação')]])).toEqual([
      ['Elza Zerada', 'Novo'],
      ['Caio Ativo', 'Ativo'],
    ])
  },
)

test('pages of a filtered list are complete in both directions', async () => {
  await site.rows(`insert into contacts (id, name, email, "canonicalEmail", whatsapp, "requestId", "versaoConsentimento")
    select ('0190000000' || lpad(to_hex(n), 2, '0') || '70008000000000000000')::uuid, 'Pessoa ' || n, n || '@example.org', n || '@example.org', '11900000000', gen_random_uuid(), '1'
    from generate_series(1, 120) n`)
  await site.rows(
    `insert into people_workflow (kind, id, status, tags) select 'voluntarios', id, 'ativo', '{par}' from contacts where right(name, 1) in ('0', '2', '4', '6', '8')`,
  )
  const seen: string[] = []
  let before = ''
  for (;;) {
    const { pessoas, temAntes } = (await list({ etiqueta: 'par', antes: before }, 'voluntarios')) as Awaited<
      ReturnType<typeof list>
    > & { temAntes: boolean }
    seen.push(...pessoas.map(({ nome }) => nome))
    if (!temAntes) break
    before = String(pessoas.at(-1)?.id)
  }
  expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => `Pessoa ${120 - 2 * n}`))
})

test('notes have an author and a time, are exported on request, and can be deleted by the team', async () => {
  const id = await addLeader({ nome: 'Fulana Anotada' })
  const notes = `/api/admin/pessoas/lideres/${id}/notas`
  await admin.ask('POST', notes, { texto: '  Ligar na terça\n=1+1 ' })
  await admin.ask('POST', notes, { texto: 'Segunda nota' })
  for (const texto of ['   ', 'x'.repeat(2_001), '\u0000'])
    expect((await admin.call('POST', notes, { texto })).status).toBe(400)
  const { notas } = await read(id)
  expect(notas.map(({ autor, texto }) => [autor, texto])).toEqual([
    ['admin', 'Segunda nota'],
    ['admin', 'Ligar na terça\n=1+1'],
  ])

  const exported = async (choice: string) => {
    const { file } = await downloadExport(
      await admin.call('GET', `/api/admin/pessoas/lideres/exportar?formato=csv${choice}`),
    )
    const [titles = [], row = []] = readCsv(file.toString().slice(1))
    return row[titles.indexOf('Notas')]
  }
  expect(await exported('')).toBeUndefined()
  expect(await exported('&notas=sim')).toMatch(
    /^'?\d{4}-\d\d-\d\d \d\d:\d\d admin: Ligar na terça\n=1\+1\n.*admin: Segunda nota$/,
  )

  await admin.ask('DELETE', `${notes}/${notas[0]?.id}`)
  expect((await admin.call('DELETE', `${notes}/${notas[0]?.id}`)).status).toBe(404)
  expect((await read(id)).notas).toHaveLength(1)
  const [entry] = await site.rows(`select target from admin_actions where action = 'Apagou uma nota sobre uma pessoa'`)
  expect(entry).toEqual({ target: `lideres ${id}, nota de admin` })
})

test('an erased person leaves neither workflow nor notes behind', async () => {
  const id = await addLeader()
  await edit(id, { status: 'ativo', responsavel: 'admin', incluir: ['uma'] })
  await admin.ask('POST', `/api/admin/pessoas/lideres/${id}/notas`, { texto: 'Uma nota' })
  await postJson(`${site.url}/api/peticoes`, aSignature())
  const [signature] = await site.rows<{ id: string }>('select id from peticoes')
  await edit(String(signature?.id), { status: 'arquivado' }, 'assinaturas')
  await admin.ask('POST', `/api/admin/pessoas/assinaturas/${signature?.id}/notas`, { texto: 'Outra nota' })

  await admin.ask('DELETE', `/api/admin/pessoas/lideres/${id}`)
  await admin.ask('DELETE', `/api/admin/pessoas/assinaturas/${signature?.id}`)

  expect(await site.rows('select 1 from people_workflow')).toEqual([])
  expect(await site.rows('select 1 from people_notes')).toEqual([])
})

test('the page of a person shows the status of all records of the mailbox, and the e-mails to it', async () => {
  const email = `pessoa.${crypto.randomUUID()}@example.org`
  const id = await addLeader({ email })
  expect((await postJson(`${site.url}/api/contacts`, aContact({ email }))).status).toBe(201)
  const [volunteer] = await site.rows<{ id: string }>('select id from contacts')
  await edit(String(volunteer?.id), { status: 'ativo' }, 'voluntarios')
  await site.rows(
    `insert into emails_por_endereco ("addressHmac", campanha, n) values (${addressHmacSql('$1::text')}, '#lider', 2)`,
    [email],
  )
  await site.rows(
    `insert into enderecos ("addressHmac", "unsubscribedAt") values (${addressHmacSql('$1::text')}, '2026-01-02T03:04:05Z')`,
    [email],
  )
  await site.rows(`delete from outbox`)
  await site.rows(
    `insert into outbox (kind, payload, dead, "dueAt") select 'email', jsonb_build_object('modelo', 'lider', 'id', $1::text), dead, now() + interval '1 day' from unnest(array[true, false, false]) dead`,
    [id],
  )

  expect(await read(id)).toMatchObject({
    outros: [{ tipo: 'voluntarios', status: 'ativo' }],
    emails: {
      enviados: [{ campanha: '#lider', n: 2 }],
      ...{
        aguardando: 2,
        paradas: 1,
        descadastradoEm: '2026-01-02T03:04:05.000Z',
        naoContatarDesde: null,
        recusadoEm: null,
      },
    },
    importacao: null,
  })
})

/** Edits many records, and returns the notes of the stream. */
async function editMany(edit: object, tipo = 'lideres') {
  return (await downloadExport(await admin.call('POST', `/api/admin/pessoas/${tipo}/acompanhamento`, edit))).notes
}

test('selected people are edited together, and tags are added and removed', async () => {
  const [a, b, c] = [
    await addLeader({ nome: 'Ana' }),
    await addLeader({ nome: 'Bia' }),
    await addLeader({ nome: 'Caio' }),
  ]
  await edit(a, { incluir: ['velha', 'fica'] })

  const notes = await editMany({
    ids: [a, b],
    status: 'ativo',
    responsavel: 'admin',
    incluir: ['nova', 'fica'],
    tirar: ['velha'],
  })

  expect(notes.at(-1)).toEqual({ fim: { linhas: 2, bytes: 0, semEtiquetas: 0 } })
  expect((await read(a)).pessoa).toMatchObject({ status: 'ativo', responsavel: 'admin', etiquetas: ['fica', 'nova'] })
  expect((await read(b)).pessoa).toMatchObject({ status: 'ativo', responsavel: 'admin', etiquetas: ['nova', 'fica'] })
  expect((await read(c)).pessoa).toMatchObject({ status: 'novo', responsavel: null, etiquetas: [] })
  await editMany({ ids: [a], responsavel: null })
  expect((await read(a)).pessoa).toMatchObject({ status: 'ativo', responsavel: null })
  const [start, end] = await site.rows(
    `select action, target from admin_actions where action like '%em conjunto' order by id`,
  )
  expect(start).toEqual({
    action: 'Começou a editar pessoas em conjunto',
    target: 'lideres, 2 selecionadas, situação → Ativo, responsável → admin, etiquetas + nova, fica, etiquetas − velha',
  })
  expect(end).toEqual({ action: 'Terminou de editar pessoas em conjunto', target: 'lideres, 2 registros, completa' })
})

test('all people of a filter are edited, also if the edit changes what the filter finds', async () => {
  await site.rows(`insert into contacts (id, name, email, "canonicalEmail", whatsapp, "requestId", "versaoConsentimento")
    select ('01900000' || lpad(to_hex(n), 4, '0') || '70008000000000000000')::uuid, 'Pessoa ' || n, n || '@example.org', n || '@example.org', '11900000000', gen_random_uuid(), '1'
    from generate_series(1, 1700) n`)
  await site.rows(
    `insert into people_workflow (kind, id, status) select 'voluntarios', id, 'arquivado' from contacts order by id limit 100`,
  )

  const notes = await editMany({ filtros: { status: 'novo' }, status: 'em-contato', incluir: ['lote'] }, 'voluntarios')

  expect(notes.at(-1)).toEqual({ fim: { linhas: 1_600, bytes: 0, semEtiquetas: 0 } })
  expect(notes.filter((note) => 'linhas' in note).length).toBeGreaterThan(2)
  const statuses = await site.rows('select status, count(*)::int as n from people_workflow group by 1 order by 1')
  expect(statuses).toEqual([
    { status: 'arquivado', n: 100 },
    { status: 'em-contato', n: 1_600 },
  ])
  await editMany({ filtros: { etiqueta: 'lote' }, tirar: ['lote'], status: 'novo' }, 'voluntarios')
  expect(await found({ etiqueta: 'lote' }, 'voluntarios')).toEqual([])
})

test('a record keeps its tags if an edit would give it more than twenty', async () => {
  const id = await addLeader()
  const tags = Array.from({ length: 20 }, (_, n) => `t${n}`)
  await edit(id, { incluir: tags })
  const notes = await editMany({ ids: [id], status: 'ativo', incluir: ['mais uma'] })
  expect(notes.at(-1)).toEqual({ fim: { linhas: 1, bytes: 0, semEtiquetas: 1 } })
  expect((await read(id)).pessoa).toMatchObject({ status: 'ativo', etiquetas: tags })
})

test.each([
  ['nothing to change', { filtros: {} }],
  ['neither records nor filters', { status: 'ativo' }],
  ['both records and filters', { ids: ['01900000-0000-7000-8000-000000000000'], filtros: {}, status: 'ativo' }],
  ['an unknown owner', { filtros: {}, responsavel: 'ninguem-assim' }],
  ['an invalid filter', { filtros: { estado: 'XX' }, status: 'ativo' }],
  ['too many records', { ids: Array(501).fill('01900000-0000-7000-8000-000000000000'), status: 'ativo' }],
])('an edit of many with %s is refused', async (_, body) => {
  expect((await admin.call('POST', '/api/admin/pessoas/lideres/acompanhamento', body)).status).toBe(400)
  expect(await site.rows('select 1 from people_workflow')).toEqual([])
})

test('a filter is saved for the whole team, renamed and deleted', async () => {
  const path = '/api/admin/pessoas/lideres/filtros'
  const filtros = { status: 'ativo', estado: 'SP', campanha: 'juros', busca: 'Maria' }
  await admin.ask('POST', path, { nome: 'Ativos de SP', filtros })
  const saved = async () => (await admin.ask<{ filtros: { id: number; nome: string }[] }>('GET', path)).filtros
  const [filter] = await saved()
  // Only filters of this list, and no searched text.
  expect(filter).toEqual({
    id: filter?.id,
    nome: 'Ativos de SP',
    filtros: { status: 'ativo', estado: 'SP' },
    autor: 'admin',
  })
  expect((await admin.ask<{ filtros: [] }>('GET', '/api/admin/pessoas/voluntarios/filtros')).filtros).toEqual([])

  expect((await admin.call('POST', path, { nome: 'Ativos de SP', filtros })).status).toBe(409)
  expect((await admin.call('POST', path, { nome: '', filtros })).status).toBe(400)
  expect((await admin.call('POST', path, { nome: 'Vazio', filtros: {} })).status).toBe(400)
  expect((await admin.call('POST', path, { nome: 'Só a busca', filtros: { busca: 'Maria' } })).status).toBe(400)
  await admin.ask('PUT', `${path}/${filter?.id}`, { nome: 'Paulistas' })
  expect((await saved()).map(({ nome }) => nome)).toEqual(['Paulistas'])
  expect((await admin.call('PUT', `/api/admin/pessoas/voluntarios/filtros/${filter?.id}`, { nome: 'X' })).status).toBe(
    404,
  )
  await admin.ask('DELETE', `${path}/${filter?.id}`)
  expect(await saved()).toEqual([])
})
