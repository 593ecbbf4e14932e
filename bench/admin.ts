// Latency of the lists and statistics of the admin area, and memory of exports, with a million signatures, two hundred
// thousand other people and as many conversations.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createPartReader } from '#contract/admin/export-stream.ts'
import { peopleKinds } from '#contract/admin/people.ts'
import { conversationStatuses } from '#contract/conversation-status.ts'
import { type Measure, percentile } from './report.ts'
import { memoryOf, microseconds, resetPeakMemory, ticksOf } from './resources.ts'
import type { BenchDatabase, Stage } from './stage.ts'
import { campaigns, owner, storePeople, storeWorkflows } from './stored-people.ts'

const password = 'senha-do-banco-de-provas'

const searchPaths = (path: string, ...terms: string[]) =>
  terms.map((term) => `${path}?busca=${encodeURIComponent(term)}`)

/** The measured queries by label. A label covers several values of its filter. */
const peopleQueries: Record<string, string[]> = {
  'newest signatures': ['assinaturas'],
  'one campaign': campaigns.map((slug) => `assinaturas?campanha=${slug}`),
  'one state': ['SP', 'AC', 'RR', 'TO', 'BA'].map((uf) => `assinaturas?estado=${uf}`),
  'one city': ['São Paulo', 'ouro preto', 'Xique-Xique'].map(
    (city) => `assinaturas?cidade=${encodeURIComponent(city)}`,
  ),
  'city, state and campaign': [
    'assinaturas?estado=AC&cidade=Niteroi&campanha=cassacao-fulano',
    'assinaturas?estado=TO&cidade=Natal&campanha=juros',
  ],
  confirmed: ['assinaturas?confirmada=sim', 'assinaturas?confirmada=nao&estado=AC'],
  'one day': [
    'assinaturas?de=DAY&ate=DAY',
    'assinaturas?de=DAY&ate=DAY&estado=SE',
    'assinaturas?de=DAY&ate=DAY&busca=silva',
  ],
  'a common name': searchPaths('assinaturas', 'maria', 'silva', 'Maria da Silva', 'jose'),
  'a rare name': searchPaths('assinaturas', 'quiteria zagallo', 'ícaro xisto', 'zulmira'),
  'a name in a state': [
    'assinaturas?busca=yasmin&estado=TO',
    'assinaturas?busca=maria&estado=TO&campanha=cassacao-fulano',
  ],
  'a telephone': searchPaths('assinaturas', '(12) 90000-7919', '129 00007919', '+55 12 90000-7919', '0000-7919'),
  'an e-mail': searchPaths('assinaturas', 'maria.c4ca@example.org', 'ana.c8'),
  'volunteers by task': [
    `voluntarios?tarefa=${encodeURIComponent('QUERO CRIAR CONTEÚDO')}`,
    'voluntarios',
    'voluntarios?busca=souza',
  ],
  'influencers by task and place': [
    'influenciadores?estado=TO&cidade=Natal',
    `influenciadores?tarefa=${encodeURIComponent('ORGANIZAR EVENTOS LOCAIS')}&estado=AC`,
  ],
  'one status': ['novo', 'ativo', 'em-contato', 'arquivado'].flatMap((status) =>
    ['assinaturas', 'voluntarios', 'lideres'].map((tipo) => `${tipo}?status=${status}`),
  ),
  'one owner, or none': [owner, '(ninguem)', 'ninguem-assim'].flatMap((username) =>
    ['assinaturas', 'lideres'].map((tipo) => `${tipo}?responsavel=${username}`),
  ),
  'one tag': ['frequente', 'rara', 'nenhuma'].flatMap((tag) =>
    ['assinaturas', 'influenciadores'].map((tipo) => `${tipo}?etiqueta=${tag}`),
  ),
  'one origin': ['instagram', 'rara', 'nenhuma'].map((origin) => `assinaturas?origem=${origin}`),
  'news consent': ['aceita', 'nao-aceita', 'saiu'].map((consent) => `assinaturas?novidades=${consent}`),
  'status and place': [
    'assinaturas?status=ativo&estado=AC',
    'assinaturas?status=em-contato&estado=SP',
    'assinaturas?status=novo&cidade=Xique-Xique',
    'lideres?status=novo&estado=RR&tarefa=noite',
  ],
  'tag, owner, origin and campaign': [
    'assinaturas?etiqueta=rara&campanha=juros',
    `assinaturas?etiqueta=frequente&responsavel=${owner}&origem=instagram`,
    'assinaturas?etiqueta=frequente&origem=rara',
    `assinaturas?status=ativo&responsavel=${owner}&confirmada=sim&novidades=aceita`,
  ],
  'name and status': ['assinaturas?busca=maria&status=ativo', 'assinaturas?busca=zulmira&status=em-contato'],
  'leaders by name and place': ['lideres?busca=xisto', 'lideres?estado=RR&busca=ana', 'lideres'],
}
const otherQueries: Record<string, string[]> = {
  'conversations: newest, by status': ['', ...conversationStatuses.map((status) => `?status=${status}`)].map(
    (filter) => `botconversa${filter}`,
  ),
  'conversations: a page far behind': ['botconversa?offset=100000'],
  'conversations: a common name': searchPaths('botconversa', 'maria', 'silva', 'Maria da Silva', 'example.org'),
  'conversations: a rare name': searchPaths('botconversa', 'quiteria zagallo', 'ícaro xisto', 'zulmira'),
  'conversations: a telephone or an e-mail': searchPaths('botconversa', '(12) 90000-7919', '0000-7919', 'ana.c8'),
  'conversations: figures': ['botconversa/stats'],
  'numbers: all campaigns': ['numeros'],
  'numbers: one campaign': campaigns.map((slug) => `numeros/${slug}`),
  'numbers: cities': campaigns.map((slug) => `numeros/${slug}/cidades`),
  'the dashboard': ['painel'],
  'the panel': ['sistema', 'registro'],
}

export async function benchAdmin(stage: Stage): Promise<Measure[]> {
  const { people, rounds } = stage.scale
  const database = await stage.createDatabase('admin')
  await storePeople(database.client, people)
  const peopleCount = people.signatures + people.others
  const startedAt = performance.now()
  const site = await stage.startSite({ env: { DATABASE_URL: database.url, ADMIN_PASSWORD: password } })
  await waitUntilIndexed(database, peopleCount)
  const indexed = (performance.now() - startedAt) / 1_000
  await database.client.query('vacuum analyze busca_pessoas')

  const headers = { authorization: `Bearer ${await logIn(site.url)}` }
  await storeWorkflows(database.client)
  const get = (path: string) => fetch(`${site.url}/api/admin/${path}`, { headers })
  const day = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10)

  async function time(path: string): Promise<number> {
    const askedAt = performance.now()
    const answer = await get(path)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
    return performance.now() - askedAt
  }
  // Processor time is measured too: unlike latency, it does not depend on other programs.
  const postmaster = Number.parseInt(readFileSync(join(stage.cluster.folder, 'data/postmaster.pid'), 'utf8'), 10)
  const ticks = () => ticksOf(site.pid) + ticksOf(postmaster)
  async function measure(paths: string[]): Promise<{ p95: number; cost: number }> {
    const times: number[] = []
    const before = ticks()
    for (let round = 0; round < rounds * 3; round++) for (const path of paths) times.push(await time(path))
    return { p95: percentile(times, 0.95), cost: microseconds(ticks() - before) / 1_000 / times.length }
  }
  const lists: Measure[] = []
  async function measureQuery(name: string, paths: string[]): Promise<void> {
    const { p95, cost } = await measure(paths.map((path) => path.replaceAll('DAY', day)))
    lists.push(
      { name: `${name}, p95`, unit: 'ms', figure: p95, bar: { of: 'figure', atMost: 100 } },
      { name: `${name}, processor time`, unit: 'ms', figure: cost },
    )
  }
  for (const [name, paths] of Object.entries(peopleQueries)) {
    await measureQuery(
      `List: ${name}`,
      paths.map((path) => `pessoas/${path}`),
    )
    await measureQuery(
      `Total: ${name}`,
      paths.map((path) => `pessoas/${path.replace(/^\w+/, '$&/total')}`),
    )
  }
  async function recordsOf(tipo: string): Promise<string[]> {
    const { pessoas } = (await (await get(`pessoas/${tipo}`)).json()) as { pessoas: { id: string }[] }
    return pessoas.slice(0, 5).map(({ id }) => `pessoas/${tipo}/${id}`)
  }
  await measureQuery(
    'One record, with what else was sent and said by the same person',
    (await Promise.all(peopleKinds.map(recordsOf))).flat(),
  )
  for (const [name, paths] of Object.entries(otherQueries)) await measureQuery(name, paths)

  async function downloadExport(path: string) {
    resetPeakMemory(site.pid)
    const before = memoryOf(site.pid).megabytes
    const askedAt = performance.now()
    const answer = await get(path)
    const read = createPartReader()
    let lines = 0
    for await (const chunk of answer.body ?? [])
      for (const part of read(chunk)) if ('note' in part && 'fim' in part.note) lines = part.note.fim.linhas
    const seconds = (performance.now() - askedAt) / 1_000
    return { lines, perSecond: lines / seconds, extra: memoryOf(site.pid).maxMegabytes - before }
  }
  const exports: Measure[] = []
  for (const formato of ['csv', 'xlsx']) {
    // The first export lets code and heap reach their usual size.
    await downloadExport(`pessoas/assinaturas/exportar?formato=${formato}&estado=SE`)
    const { lines, perSecond, extra } = await downloadExport(`pessoas/assinaturas/exportar?formato=${formato}`)
    if (lines !== people.signatures) throw new Error(`${lines} lines of ${people.signatures}`)
    const label = `Export of ${lines.toLocaleString('en')} rows as ${formato.toUpperCase()}`
    exports.push(
      { name: `${label}: memory on top`, unit: 'MB', figure: extra, bar: { of: 'figure', atMost: 100 } },
      { name: label, unit: '/s', figure: perSecond },
    )
  }
  const disk = async (table: string, people: number) => (await sizeOf(database, table)) / people
  return [
    ...lists,
    ...exports,
    { name: 'Building the search of everybody', unit: 's', figure: indexed },
    { name: 'Disk: a signature with its indexes', unit: 'bytes', figure: await disk('peticoes', people.signatures) },
    { name: 'Disk: one person in the search', unit: 'bytes', figure: await disk('busca_pessoas', peopleCount) },
  ]
}

async function sizeOf({ client }: BenchDatabase, table: string): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>('select pg_total_relation_size($1)::float8 as bytes', [table])
  return rows[0]?.bytes ?? 0
}

async function waitUntilIndexed({ client }: BenchDatabase, people: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ n: number }>('select count(*)::int as n from busca_pessoas')
    // The index does not yet contain people of the last half minute.
    if ((rows[0]?.n ?? 0) > people * 0.9999 - 10) return
    await delay(500)
  }
}

async function logIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })
  const { token } = (await answer.json()) as { token: string }
  return token
}
