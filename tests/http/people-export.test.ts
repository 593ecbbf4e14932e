// Exports of people as CSV and XLSX, downloaded like a browser does and read by other programs.
import { setTimeout as delay } from 'node:timers/promises'
import readXlsxFile from 'read-excel-file/node'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { adminMessages } from '#contract/admin/messages.ts'
import { type Administrator, credentials, enter } from '#tests/helpers/administrator.ts'
import { downloadExport } from '#tests/helpers/exported.ts'
import { aLeader, aSignature } from '#tests/helpers/factories.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let admin: Administrator
beforeAll(async () => {
  site = await openTestSite()
})
afterAll(() => site.close())

async function send(path: string, body: object): Promise<void> {
  const answer = await fetch(site.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status, await answer.text()).toBe(201)
}
const sign = (fields: Parameters<typeof aSignature>[0] = {}) => send('/api/peticoes', aSignature(fields))

/** Writes rows directly into the table, with ids of 2024 by default; half of them are from Bahia. */
async function storeMany(count: number, idPrefix = '01900000'): Promise<void> {
  const batchSize = 5_000
  for (let first = 1; first <= count; first += batchSize)
    await site.rows(
      `insert into peticoes (id, nome, email, "canonicalEmail", whatsapp, cidade, estado, "requestId", "versaoConsentimento", "createdAt")
      select ($3 || lpad(to_hex(n), 4, '0') || '70008000000000000000')::uuid, 'Fulano Guardado ' || n, n || '@example.org', n || '@example.org',
        '00000000000', 'Cidade Exemplo', case when n % 2 = 0 then 'BA' else 'SP' end, gen_random_uuid(), '1', '2024-06-10T12:00:00Z'
      from generate_series($1::int, $2::int) n`,
      [first, Math.min(count, first + batchSize - 1), idPrefix],
    )
}

const exportPeople = async (tipo: string, order: Record<string, string>) =>
  downloadExport(await admin.call('GET', `/api/admin/pessoas/${tipo}/exportar?${new URLSearchParams(order)}`))

/** Every cell is quoted; quotes within a cell are doubled. */
function readCsv(text: string): string[][] {
  return text
    .split('\r\n')
    .slice(0, -1)
    .map((line) => [...line.matchAll(/"((?:[^"]|"")*)"(?:;|$)/g)].map(([, cell = '']) => cell.replaceAll('""', '"')))
}

const exportEnds = () => site.rows(`select target from admin_actions where action = 'Terminou de exportar pessoas'`)
const auditLog = () => site.rows(`select action, target from admin_actions where action like '%export%' order by id`)

describe('of a short list', () => {
  beforeEach(async () => {
    await site.empty()
    admin = await enter(site)
  })

  test('a CSV opens in Brazilian Excel, and no cell becomes a formula', async () => {
    await sign({
      nome: '=HYPERLINK("http://example.org";"clique")',
      whatsapp: '+55 (11) 98765-4321',
      redesSociais: '@fulana; "aspas"',
    })
    await sign({ nome: 'Fulana de Çá', estado: 'BA' })
    await site.rows(`update peticoes set "createdAt" = '2026-03-10T01:30:00Z'`)

    const { file, notes } = await exportPeople('assinaturas', { formato: 'csv', busca: 'HYPERLINK' })

    const text = file.toString()
    expect(text.startsWith('\uFEFF"Nome";"E-mail";"WhatsApp";"Cidade";"Estado"')).toBe(true)
    const [header = [], row = [], ...rest] = readCsv(text.slice(1))
    const cell = (title: string) => row[header.indexOf(title)]
    expect(rest).toEqual([])
    expect(cell('Nome')).toBe(`'=HYPERLINK("http://example.org";"clique")`)
    expect([cell('WhatsApp'), cell('WhatsApp E.164')]).toEqual(['(11) 98765-4321', '+5511987654321'])
    expect(cell('Redes sociais')).toBe(`'@fulana; "aspas"`)
    expect(cell('Data')).toBe('2026-03-09 22:30:00')
    expect(notes[0]).toMatchObject({
      total: 1,
      exato: true,
      nome: expect.stringMatching(/^assinaturas-\d{4}-\d\d-\d\d\.csv$/),
    })
    expect(notes.at(-1)).toEqual({ fim: { linhas: 1, bytes: file.length } })
    expect(await auditLog()).toEqual([
      { action: 'Começou a exportar pessoas', target: 'assinaturas, csv, busca: HYP…' },
      { action: 'Terminou de exportar pessoas', target: 'assinaturas, csv, 1 linhas, completa' },
    ])
  })

  test.each(['csv', 'xlsx'])('phones have one format in %s, and handles stay as typed', async (formato) => {
    const typed = ['11987654321', '+55 11 98765-4321', '(11) 98765-4321', '+1 212 555 0100']
    for (const whatsapp of typed) await sign({ whatsapp, redesSociais: '@fulana.tal' })

    const { file } = await exportPeople('assinaturas', { formato })

    const rows = formato === 'csv' ? readCsv(file.toString().slice(1)) : ((await readXlsxFile(file))[0]?.data ?? [])
    const [header = [], ...people] = rows as string[][]
    const column = (title: string) => people.map((row) => row[header.indexOf(title)]).toReversed()
    const brazilian = '(11) 98765-4321'
    const foreign = formato === 'csv' ? "'+1 212 555 0100" : '+1 212 555 0100'
    expect(column('WhatsApp')).toEqual([brazilian, brazilian, brazilian, foreign])
    expect(column('WhatsApp E.164')).toEqual([...Array(3).fill('+5511987654321'), '+12125550100'])
    expect(column('Redes sociais')).toEqual(typed.map(() => '@fulana.tal'))
  })

  test('an XLSX is read back as it was stored', async () => {
    await sign({ nome: '=1+1 <b>&amp;"Fulana"</b> 🇧🇷', estado: 'BA' })
    await sign({ nome: 'Fulano Segundo' })
    await site.rows(`update peticoes set "createdAt" = '2026-03-10T01:30:00Z'`)

    const { file } = await exportPeople('assinaturas', { formato: 'xlsx' })

    const [sheet] = await readXlsxFile(file)
    const [header = [], first = [], second = []] = sheet?.data ?? []
    expect(sheet?.sheet).toBe('Assinaturas')
    expect([first, second].map((row) => row[header.indexOf('Nome')])).toEqual([
      'Fulano Segundo',
      '=1+1 <b>&amp;"Fulana"</b> 🇧🇷',
    ])
    expect(first[header.indexOf('Data')]).toEqual(new Date('2026-03-09T22:30:00Z'))
  })

  test.each(['csv', 'xlsx'])('a long %s contains every filtered person once', async (formato) => {
    await storeMany(2_345)
    await sign({ nome: 'Fulana de Agora', estado: 'BA' })

    const { file, notes } = await exportPeople('assinaturas', { formato, estado: 'BA' })

    const rows = formato === 'csv' ? readCsv(file.toString()) : ((await readXlsxFile(file))[0]?.data ?? [])
    const names = rows.slice(1).map(([nome]) => nome)
    expect(names).toHaveLength(1_173)
    expect(new Set(names).size).toBe(1_173)
    expect([names[0], names[1], names.at(-1)]).toEqual(['Fulana de Agora', 'Fulano Guardado 2344', 'Fulano Guardado 2'])
    expect(notes.at(-1)).toMatchObject({ fim: { linhas: 1_173 } })
  })

  test('while the search index is not ready, the total is unknown and the file is complete', {
    tags: ['slow'],
    timeout: 60_000,
  }, async () => {
    // Ids of the future, which the index does not include.
    await storeMany(50_002, '0fffffff')
    await sign({ nome: 'Fulana de Agora' })
    expect((await admin.call('GET', '/api/admin/pessoas/assinaturas/total?busca=agora')).status).toBe(503)

    const { file, notes } = await exportPeople('assinaturas', { formato: 'csv', busca: 'agora' })

    expect(notes[0]).toMatchObject({ total: 0, exato: false })
    expect(notes.at(-1)).toEqual({ fim: { linhas: 1, bytes: file.length } })
    expect(readCsv(file.toString()).map(([nome]) => nome)).toEqual(['Nome', 'Fulana de Agora'])
  })

  test('reserved data of leaders is only in a file that was requested with it, which is in the audit log', async () => {
    const leader = aLeader({ nome: 'Líder Exportada', cpf: '529.982.247-25' })
    await send('/api/formulario-lideres', leader)

    const usual = (await exportPeople('lideres', { formato: 'csv' })).file.toString()
    const whole = (await exportPeople('lideres', { formato: 'csv', reservados: 'sim' })).file.toString()

    for (const reserved of [leader.cpf, leader.endereco, leader.cep, '1984-02-29']) {
      expect(usual).not.toContain(reserved)
      expect(whole).toContain(reserved)
    }
    expect(usual).toContain('Manhã (8h às 12h), Fins de semana')
    expect((await auditLog()).map(({ target }) => target)).toEqual([
      'lideres, csv',
      'lideres, csv, 1 linhas, completa',
      'lideres, csv, com dados reservados',
      'lideres, csv, 1 linhas, completa',
    ])
  })

  test('an empty list is a file with a header', async () => {
    const { file, notes } = await exportPeople('voluntarios', { formato: 'xlsx' })
    const [sheet] = await readXlsxFile(file)
    expect(sheet?.data[0]?.slice(0, 4)).toEqual(['Nome', 'E-mail', 'WhatsApp', 'Tarefas'])
    expect(notes.at(-1)).toMatchObject({ fim: { linhas: 0 } })
  })

  test('of five concurrent exports two run and the others are refused', { tags: ['slow'] }, async () => {
    await storeMany(20_000)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => admin.call('GET', '/api/admin/pessoas/assinaturas/exportar?formato=csv')),
    )
    const downloads = await Promise.all(answers.filter(({ status }) => status === 200).map(downloadExport))

    const whole = downloads.filter(({ notes }) => notes.some((note) => 'fim' in note))
    const refused = downloads.filter(({ notes }) =>
      notes.some((note) => 'erro' in note && note.erro === adminMessages.people.busy),
    )
    expect([whole.length, refused.length + answers.length - downloads.length]).toEqual([2, 3])
    const ends = (await auditLog()).map(({ target }) => String(target))
    expect(ends.filter((end) => end.endsWith('recusada'))).toHaveLength(refused.length)
  })
})

describe('of fifty thousand people', () => {
  // Stored once, because none of these tests changes them.
  beforeAll(async () => {
    await site.empty()
    await storeMany(50_000)
  }, 60_000)
  beforeEach(async () => {
    await site.rows('delete from admin_actions')
    admin = await enter(site)
  })

  test('a client that disconnects stops the export, which is in the audit log', async () => {
    const disconnect = new AbortController()
    const answer = await fetch(`${site.url}/api/admin/pessoas/assinaturas/exportar?formato=csv`, {
      headers: { authorization: `Bearer ${admin.token}` },
      signal: disconnect.signal,
    })
    await answer.body?.getReader().read()
    disconnect.abort()

    await expect.poll(async () => (await auditLog()).length, { timeout: 20_000 }).toBe(2)
    const [, ended] = await auditLog()
    expect(ended?.target).toMatch(/^assinaturas, csv, \d+ linhas, interrompida$/)
  })

  const revocations: [name: string, revoke: () => Promise<unknown>][] = [
    ['by its logout', () => admin.ask('POST', '/api/admin/logout')],
    ['by its expiry', () => site.rows(`update admin_sessions set "lastSeenAt" = now() - interval '31 minutes'`)],
    ['by a deactivated account', () => site.rows('update admin_users set "isActive" = false')],
    [
      'by a changed password',
      async () => {
        const password = 'outra-senha-de-teste'
        const body = { current: credentials.password, password }
        await (await enter(site)).ask('POST', '/api/admin/conta/senha', body)
      },
    ],
  ]

  test.each(revocations)(
    'a running export stops when its session is ended %s',
    async (_, revoke) => {
      const [account] = await site.rows('select id, password from admin_users')
      try {
        const answer = await admin.call('GET', '/api/admin/pessoas/assinaturas/exportar?formato=csv')
        const reader = answer.body?.getReader()
        await reader?.read()
        await revoke()
        // The rest is larger than the buffers of the connection. The session is checked once a second.
        await delay(1_500)
        const readRest = async () => {
          for (let part = await reader?.read(); part && !part.done; part = await reader?.read());
        }
        await expect(readRest()).rejects.toThrow('terminated')

        await expect.poll(async () => (await exportEnds()).length, { timeout: 20_000 }).toBe(1)
        expect((await exportEnds())[0]?.target).toMatch(/^assinaturas, csv, \d+ linhas, interrompida$/)
      } finally {
        await site.rows('update admin_users set "isActive" = true, password = $2 where id = $1', [
          account?.id,
          account?.password,
        ])
      }
    },
    60_000,
  )

  test('a failure during the export is reported, and no end is announced', async () => {
    const answer = await admin.call('GET', '/api/admin/pessoas/assinaturas/exportar?formato=csv')
    await site.rows('alter table peticoes rename to peticoes_fora')
    try {
      const { notes } = await downloadExport(answer)
      expect(notes.at(-1)).toEqual({ erro: 'A exportação parou no meio e o arquivo não está completo. Tente de novo.' })
      expect((await auditLog()).at(-1)?.target).toMatch(/falhou$/)
    } finally {
      await site.rows('alter table peticoes_fora rename to peticoes')
    }
  })

  test('a third concurrent export is refused', async () => {
    const open = () => admin.call('GET', '/api/admin/pessoas/assinaturas/exportar?formato=csv')
    const [first, second] = await Promise.all([open(), open()])
    const third = await open()
    expect([third.status, await third.json()]).toMatchObject([
      429,
      { message: 'Já há exportações em andamento. Espere uma terminar e tente de novo.' },
    ])
    await Promise.all([first.body?.cancel(), second.body?.cancel()])
    await expect.poll(async () => (await auditLog()).length, { timeout: 20_000 }).toBe(4)
  })
})
