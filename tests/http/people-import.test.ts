// Imports of people from CSV and XLSX files: mapping, preview, rejected lines, malformed files, and no e-mails.
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ZipFile } from 'yazl'
import { adminMessages } from '#contract/admin/messages.ts'
import { guessMapping } from '#contract/admin/people-import.ts'
import { addressHmac } from '#server/core/address-key.ts'
import { digestOf, linkSecret } from '#server/core/tokens.ts'
import { type Cell, writeXlsx } from '#server/core/xlsx.ts'
import { signatureCounts, signedCounts } from '#server/db/signature-counts.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { avoidBoundary } from '#tests/helpers/avoid-boundary.ts'
import { signatureCountsSql } from '#tests/helpers/count-rows.ts'
import { readCsv } from '#tests/helpers/csv-reader.ts'
import { downloadExport } from '#tests/helpers/exported.ts'
import { aCampaign, aContact, aLeader, anInfluencer, aSignature } from '#tests/helpers/factories.ts'
import { postForm, postJson } from '#tests/helpers/forms.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

const { imports: texts } = adminMessages

let site: TestSite
let admin: Administrator
beforeAll(async () => {
  site = await openTestSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.empty()
  admin = await enter(site)
})

const xlsx = async (header: string[], rows: Cell[][]) =>
  buffer(
    Readable.from(
      writeXlsx({
        ...{ title: 'Lista', header },
        rows: (async function* () {
          yield rows
        })(),
      }),
    ),
  )

function upload(file: string | Buffer, tipo = 'assinaturas', name = 'lista.csv'): Promise<Response> {
  const form = new FormData()
  form.set('tipo', tipo)
  form.set('nome', name)
  form.set('arquivo', new Blob([typeof file === 'string' ? file : Uint8Array.from(file)]), name)
  return admin.call('POST', '/api/admin/importacoes', form)
}
async function stage(file: string | Buffer, tipo = 'assinaturas', name?: string): Promise<number> {
  const answer = await upload(file, tipo, name)
  expect(answer.status, await answer.clone().text()).toBe(201)
  return ((await answer.json()) as { id: number }).id
}
interface Details {
  importacao: { status: string; total: number; processadas: number; aceitas: number; rejeitadas: number }
  colunas: string[]
  rejeitadas: { linha: number; motivo: string }[]
}
const details = (id: number) => admin.ask<Details>('GET', `/api/admin/importacoes/${id}`)
const settings = {
  campanha: 'juros',
  origem: 'Feira do centro',
  baseLegal: 'lista em papel assinada em evento',
  declaraNovidades: false,
}

async function run(id: number, tipo: Parameters<typeof guessMapping>[0], changes: object = {}): Promise<Details> {
  const { colunas } = await details(id)
  await admin.ask('POST', `/api/admin/importacoes/${id}/iniciar`, {
    ...settings,
    mapeamento: guessMapping(tipo, colunas),
    ...changes,
  })
  await expect.poll(async () => (await details(id)).importacao.status, { timeout: 60_000 }).not.toBe('running')
  return details(id)
}

const signatures =
  'Nome;E-mail;Telefone;Cidade;UF;Aceita novidades\r\n' +
  'Fulana de Tal;fulana@example.org;(00) 00000-0000;São Paulo;São Paulo;sim\r\n' +
  'Beltrana;BELTRANA@example.org;00000000000;Belém;pa;não\r\n' +
  '\r\n' +
  'X;sem-arroba;1;Y;ZZ;\r\n' +
  'Fulana de Novo;fulana@example.org;00000000000;São Paulo;SP;sim\r\n'

test('a CSV is imported, counted at once, and rejected lines say why', async () => {
  const id = await stage(signatures)
  const { importacao, rejeitadas } = await run(id, 'assinaturas')

  expect(importacao).toMatchObject({ status: 'done', total: 4, processadas: 4, aceitas: 2, rejeitadas: 2 })
  expect(rejeitadas[0]?.linha).toBe(5)
  expect(rejeitadas[0]?.motivo).toContain('Nome')
  expect(rejeitadas[1]).toEqual({ linha: 6, motivo: texts.repeated })
  const stored = await site.rows(
    'select nome, email, estado, campanha, "aceitaNovidades", origem, "importId"::int, "versaoConsentimento", "confirmadoEm" from peticoes order by nome',
  )
  const common = {
    campanha: 'juros',
    origem: 'Feira-do-centro',
    importId: id,
    versaoConsentimento: 'importação',
    confirmadoEm: null,
  }
  expect(stored).toEqual([
    { nome: 'Beltrana', email: 'beltrana@example.org', estado: 'PA', aceitaNovidades: false, ...common },
    { nome: 'Fulana de Tal', email: 'fulana@example.org', estado: 'SP', aceitaNovidades: true, ...common },
  ])
  const counts = await site.rows(
    `select estado, sum(n)::int as n from ${signatureCountsSql} where campanha = 'juros' group by 1 order by 1`,
  )
  expect(counts).toEqual([
    { estado: 'PA', n: 1 },
    { estado: 'SP', n: 1 },
  ])

  const [row] = await site.rows<{ id: string }>(`select id from peticoes where nome = 'Beltrana'`)
  const person = await admin.ask<{ importacao: object }>('GET', `/api/admin/pessoas/assinaturas/${row?.id}`)
  expect(person.importacao).toMatchObject({
    id,
    arquivo: 'lista.csv',
    origem: 'Feira-do-centro',
    baseLegal: settings.baseLegal,
  })

  const { file } = await downloadExport(await admin.call('GET', `/api/admin/importacoes/${id}/rejeitadas`))
  const [titles, first, second] = readCsv(file.toString().slice(1))
  expect(titles?.slice(0, 4)).toEqual(['Linha', 'Motivo', 'Nome', 'E-mail'])
  expect([first?.[0], first?.[2], second?.[0], second?.[2]]).toEqual(['5', 'X', '6', 'Fulana de Novo'])
  expect(await site.rows(`select action, target from admin_actions where action like '%import%' order by id`)).toEqual([
    { action: 'Enviou um arquivo para importar', target: `assinaturas, importação ${id}, 4 linhas` },
    {
      action: 'Começou a importar pessoas',
      target: `assinaturas, importação ${id}, juros, 4 linhas, origem Feira-do-centro, base legal: ${settings.baseLegal}`,
    },
    { action: 'Terminou de importar pessoas', target: `assinaturas, importação ${id}, 2 aceitas, 2 rejeitadas` },
    { action: 'Baixou as linhas rejeitadas de uma importação', target: `importação ${id}` },
  ])
})

test('an import queues spreadsheet rows and no e-mail, now or later', async () => {
  await run(await stage(signatures), 'assinaturas')
  const volunteers = 'Nome,E-mail,Celular\nFulana,v1@example.org,+55 (11) 98765-4321\n'
  const id = await stage(volunteers, 'voluntarios')
  await run(id, 'voluntarios', {
    mapeamento: {
      ...guessMapping('voluntarios', ['Nome', 'E-mail', 'Celular']),
      tasks: { valor: 'quero criar conteúdo' },
    },
  })
  expect(await site.rows('select whatsapp, tasks from contacts')).toEqual([
    { whatsapp: '11987654321', tasks: ['QUERO CRIAR CONTEÚDO'] },
  ])
  // Deliveries are not running here; the fan-out of these kinds creates no e-mail and no reminder.
  const queued = await site.rows<{ kind: string }>('select distinct kind from outbox')
  expect(queued.filter(({ kind }) => !kind.startsWith('planilha'))).toEqual([])
  expect(await site.rows('select 1 from emails_por_endereco')).toEqual([])
})

test('an address that is already in the campaign or the list is rejected', async () => {
  expect(
    (await postJson(`${site.url}/api/campaigns/juros/signatures`, aSignature({ email: 'fulana@example.org' }))).status,
  ).toBe(201)
  expect((await postJson(`${site.url}/api/contacts`, aContact({ email: 'v1+luta@gmail.com' }))).status).toBe(201)

  const { rejeitadas, importacao } = await run(await stage(signatures), 'assinaturas')
  expect(importacao.aceitas).toBe(1)
  expect(rejeitadas.find(({ linha }) => linha === 2)).toEqual({ linha: 2, motivo: texts.already })
  const elsewhere = await run(await stage(signatures), 'assinaturas', { campanha: 'brasilquerpaz' })
  expect(elsewhere.importacao.aceitas).toBe(2)

  const list =
    'Nome;E-mail;WhatsApp;Tarefas\nV Um;v.1@gmail.com;11900000000;QUERO CRIAR CONTEÚDO\nV Dois;v2@example.org;11900000000;QUERO CRIAR CONTEÚDO'
  const again = await run(await stage(list, 'voluntarios'), 'voluntarios')
  expect(again.rejeitadas).toEqual([{ linha: 2, motivo: texts.already }])
  expect(again.importacao.aceitas).toBe(1)
})

test('news are accepted only by a column or by a recorded declaration', async () => {
  const list = 'Nome;E-mail;WhatsApp;Cidade;UF\nFulana;n1@example.org;0000000000;Belém;PA'
  await run(await stage(list), 'assinaturas')
  await run(await stage(list), 'assinaturas', { campanha: 'brasilquerpaz', declaraNovidades: true })
  const accepted = await site.rows('select campanha, "aceitaNovidades" from peticoes order by campanha')
  expect(accepted).toEqual([
    { campanha: 'brasilquerpaz', aceitaNovidades: true },
    { campanha: 'juros', aceitaNovidades: false },
  ])
  const [entry] = await site.rows(`select target from admin_actions where target like '%brasilquerpaz%'`)
  expect(entry).toMatchObject({ target: expect.stringContaining('declarou aceite de novidades') })
})

describe.each(['csv', 'xlsx'])('our own %s export', (formato) => {
  test.each([
    [
      'assinaturas',
      '/api/peticoes',
      () => aSignature({ redesSociais: '@fulana; "aspas"' }),
      'peticoes',
      'brasilquerpaz',
    ],
    ['voluntarios', '/api/contacts', () => aContact(), 'contacts', undefined],
    ['influenciadores', '/api/lideres', () => anInfluencer(), 'influenciadores', undefined],
    ['lideres', '/api/formulario-lideres', () => aLeader({ cpf: '012.345.678-90' }), 'lideres', undefined],
  ] as const)('of %s can be imported again', async (tipo, path, make, table, campanha) => {
    expect((await postJson(site.url + path, make())).status).toBe(201)
    const { file } = await downloadExport(
      await admin.call('GET', `/api/admin/pessoas/${tipo}/exportar?formato=${formato}&reservados=sim`),
    )
    const kept = 'email, whatsapp, "aceitaNovidades"'
    const before = await site.rows(`select ${kept} from ${table}`)
    if (tipo !== 'assinaturas') await site.rows(`delete from ${table}`)

    const { importacao, rejeitadas } = await run(
      await stage(file, tipo, `lista.${formato}`),
      tipo,
      campanha && { campanha },
    )

    expect(rejeitadas).toEqual([])
    expect(importacao).toMatchObject({ total: 1, aceitas: 1 })
    const after = await site.rows<{ whatsapp: string }>(`select ${kept} from ${table} where "importId" is not null`)
    const digits = (rows: object[]) =>
      rows.map((row) => ({
        ...row,
        whatsapp: String((row as { whatsapp: string }).whatsapp)
          .replace(/\D/g, '')
          .replace(/^55/, ''),
      }))
    expect(digits(after)).toEqual(digits(before))
  })
})

test('a leader under 18 is rejected with a reason, and an imported one has encrypted reserved data', async () => {
  const title = 'Nome;E-mail;WhatsApp;CPF;Nascimento;Gênero;Profissão;Endereço;Cidade;UF;CEP;Motivação;Disponibilidade'
  const rest = 'feminino;Padeira;Rua Inventada, 7;Belém;PA;66010-123;Quero ajudar muito;manhã'
  const minorBirth = `31/12/${new Date().getUTCFullYear() - 18 + 1}`
  const leader = (name: string, birth: string) =>
    `${name};${name}@example.org;(00) 90000-0000;012.345.678-90;${birth};${rest.replace('manhã', 'manha')}`
  const file = [title, leader('adulta', '05/10/1961'), leader('jovem', minorBirth)].join('\r\n')

  const { importacao, rejeitadas } = await run(await stage(file, 'lideres'), 'lideres')

  expect(rejeitadas).toEqual([{ linha: 3, motivo: 'Tem menos de 18 anos: não pode ser líder.' }])
  expect(importacao).toMatchObject({ aceitas: 1 })
  const [row] = await site.rows<{ id: string; whole: string }>('select id, lideres::text as whole from lideres')
  for (const text of ['012.345.678-90', '1961-10-05', '05/10/1961', 'Rua Inventada', '66010-123'])
    for (const form of [text, Buffer.from(text).toString('hex')]) expect(row?.whole).not.toContain(form)
  expect(await admin.ask('POST', `/api/admin/pessoas/lideres/${row?.id}/revelar`)).toMatchObject({
    ...{ cpf: '012.345.678-90', nascimento: '1961-10-05', endereco: 'Rua Inventada, 7', cep: '66010-123' },
  })
})

describe('the file', () => {
  const bodyOf = (list: string) => list
  const header = 'Nome;E-mail;WhatsApp;Cidade;UF'
  const person = 'João Ávila;joao@example.org;0000000000;São Luís;MA'

  test.each([
    ['UTF-8 with commas', Buffer.from(`${header}\n${person}`.replaceAll(';', ','))],
    ['UTF-8 with a mark and tabs', Buffer.from(`\uFEFF${header}\r\n${person}`.replaceAll(';', '\t'))],
    ['Windows-1252', Buffer.from(`${header}\r\n${person}`, 'latin1')],
    ['UTF-16', Buffer.from(`\uFEFF${header}\r\n${person}`, 'utf16le')],
    ['only carriage returns', Buffer.from(`${header}\r${person}`)],
    ['with line separators in a cell', Buffer.from(`${header};Notas\n${person};a\u2028b\u2029c`)],
    [
      'UTF-16 with signs that no text contains',
      Buffer.from(`\uFEFF${header};\0\ud83d\r\n${person};\0\udc00`, 'utf16le'),
    ],
  ])('may be %s', async (_, file) => {
    const { importacao, rejeitadas } = await run(await stage(file), 'assinaturas')
    expect(rejeitadas).toEqual([])
    expect(importacao.aceitas).toBe(1)
    expect(await site.rows('select nome, cidade from peticoes')).toEqual([{ nome: 'João Ávila', cidade: 'São Luís' }])
  })

  test('may be a workbook with numbers and dates', async () => {
    const sheet = await xlsx(header.split(';'), [['João Ávila', 'joao@example.org', '0000000000', 'São Luís', 'MA']])
    expect((await run(await stage(sheet, 'assinaturas', 'lista.xlsx'), 'assinaturas')).importacao.aceitas).toBe(1)
  })

  async function zip(parts: Record<string, Buffer>): Promise<Buffer> {
    const archive = new ZipFile()
    for (const [name, content] of Object.entries(parts)) archive.addBuffer(content, name, { compressionLevel: 1 })
    archive.end()
    return buffer(archive.outputStream)
  }

  /** All cells refer to one text of 32,000 characters. */
  function workbookOf(addresses: string[]): Promise<Buffer> {
    const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
    const rows = addresses.map((address) => {
      const [number] = /\d+/.exec(address) ?? []
      return `<row r="${number}"><c r="${address}" t="s"><v>0</v></c></row>`
    })
    return zip({
      'xl/workbook.xml': Buffer.from(
        `<workbook xmlns:r="${types}"><sheets><sheet name="A" sheetId="1" r:id="a"/></sheets></workbook>`,
      ),
      'xl/_rels/workbook.xml.rels': Buffer.from(
        `<Relationships><Relationship Id="a" Type="${types}/worksheet" Target="sheet.xml"/><Relationship Id="b" Type="${types}/sharedStrings" Target="strings.xml"/></Relationships>`,
      ),
      'xl/strings.xml': Buffer.from(`<sst><si><t>${'x'.repeat(32_000)}</t></si></sst>`),
      'xl/sheet.xml': Buffer.from(`<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`),
    })
  }

  test.each([
    ['a picture', async () => Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]), texts.format],
    ['an archive without a workbook', () => zip({ 'a.txt': Buffer.from('x') }), texts.format],
    [
      'a broken workbook',
      () => zip({ 'xl/workbook.xml': Buffer.from('<not'), 'xl/worksheets/sheet1.xml': Buffer.from('<') }),
      texts.broken,
    ],
    ['a truncated workbook', async () => (await xlsx(['Nome'], [['x']])).subarray(0, 300), texts.broken],
    ['a zip bomb', () => zip({ 'xl/workbook.xml': Buffer.alloc(301 * 2 ** 20) }), texts.broken],
    [
      'a workbook of cells that share a long text',
      () => workbookOf(Array.from({ length: 15_000 }, (_, n) => `A${n + 1}`)),
      texts.tooMuchText,
    ],
    ['a workbook with a cell far below', () => workbookOf(['A1', 'B1048576']), texts.tooManyRows],
    ['a workbook with a cell far to the right', () => workbookOf(['A1', 'XFD2']), texts.tooManyColumns],
    ['a workbook with an impossible row', () => workbookOf(['A1', 'A400000000']), texts.broken],
    ['only a header', async () => Buffer.from(header), texts.empty],
    ['an empty file', async () => Buffer.from('\n'), texts.empty],
    ['too many columns', async () => Buffer.from(`${Array(150).fill('a').join(';')}\n1`), texts.tooManyColumns],
    ['too many rows', async () => Buffer.from(`${header}\n${'a;b\n'.repeat(200_001)}`), texts.tooManyRows],
  ])('is refused if it is %s', async (_, make, message) => {
    const answer = await upload(bodyOf('') || (await make()))
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ message })
    expect(await site.rows('select 1 from imports')).toEqual([])
  })

  test('is refused if it is missing or larger than the limit', async () => {
    const form = new FormData()
    form.set('tipo', 'assinaturas')
    form.set('nome', 'lista.csv')
    expect((await admin.call('POST', '/api/admin/importacoes', form)).status).toBe(400)
    expect((await upload(Buffer.alloc(25 * 2 ** 20 + 1, 'a'))).status).toBe(413)
  })

  test('with one column, or with formulas, leads to clear reasons', async () => {
    const one = await stage('E-mail\nfulana@example.org')
    const refused = await admin.call('POST', `/api/admin/importacoes/${one}/iniciar`, {
      ...settings,
      mapeamento: guessMapping('assinaturas', ['E-mail']),
    })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ message: 'Falta indicar: Nome, WhatsApp, Cidade, Estado.' })

    const formulas = await run(
      await stage(`${header}\n=1+1;=cmd@example.org;=2;@SUM(1);MA\n=A1+B1;a@example.org;0000000000;Belém;PA`),
      'assinaturas',
    )
    expect(formulas.importacao).toMatchObject({ aceitas: 1, rejeitadas: 1 })
    expect(await site.rows('select nome from peticoes')).toEqual([{ nome: '=A1+B1' }])
  })
})

test('the preview shows the first rows with their errors and stores nothing', async () => {
  const id = await stage(signatures)
  const { colunas } = await details(id)
  const preview = (mapping: object) =>
    admin.call(
      'GET',
      `/api/admin/importacoes/${id}/previa?${new URLSearchParams({ mapeamento: JSON.stringify(mapping) })}`,
    )
  const { linhas, aceitas } = (await (await preview(guessMapping('assinaturas', colunas))).json()) as {
    linhas: { linha: number; motivo: string | null }[]
    aceitas: number
  }
  expect([linhas.length, aceitas]).toEqual([4, 3])
  expect(linhas[2]).toMatchObject({ linha: 5, motivo: expect.stringContaining('Nome') })
  expect((await preview({ nome: { coluna: 60 } })).status).toBe(400)
  expect((await preview({ cpf: { coluna: 0 } })).status).toBe(400)
  expect((await admin.call('GET', `/api/admin/importacoes/${id}/previa?mapeamento={`)).status).toBe(400)
  expect(await site.rows('select 1 from peticoes')).toEqual([])
})

test('an import starts once, needs origin and legal basis, and can be cancelled', async () => {
  const id = await stage(signatures)
  const mapeamento = guessMapping('assinaturas', (await details(id)).colunas)
  const start = (changes: object) =>
    admin.call('POST', `/api/admin/importacoes/${id}/iniciar`, { ...settings, mapeamento, ...changes })
  for (const changes of [
    { origem: '' },
    { origem: '!!' },
    { baseLegal: 'curta' },
    { campanha: 'nenhuma' },
    { mapeamento: 1 },
    { campanha: 'juros\0' },
    { mapeamento: { ...mapeamento, cidade: { valor: 'Bel\0m' } } },
    { mapeamento: { ...mapeamento, cidade: { valor: '\ud83d' } } },
    { mapeamento: { ...mapeamento, constructor: { coluna: 0 } } },
    { mapeamento: { ...mapeamento, aceitaNovidades: { valor: 'sim' } } },
  ])
    expect((await start(changes)).status).toBe(400)
  await admin.ask('POST', `/api/admin/importacoes/${id}/cancelar`)
  expect((await start({})).status).toBe(409)
  expect((await admin.call('POST', `/api/admin/importacoes/${id}/cancelar`)).status).toBe(409)
  expect((await details(id)).importacao.status).toBe('cancelled')
  expect((await admin.call('GET', '/api/admin/importacoes/999999')).status).toBe(404)
})

test('an import whose node died is continued by another after the lease, without duplicates', async () => {
  const rows = Array.from({ length: 1_200 }, (_, n) => `Fulana ${n};f${n}@example.org;0000000000;Belém;PA`)
  const id = await stage(`Nome;E-mail;WhatsApp;Cidade;UF\n${rows.join('\n')}`)
  await site.rows(
    `update imports set "leasedBy" = gen_random_uuid(), "leasedUntil" = now() + interval '3 seconds' where id = $1`,
    [id],
  )
  const { importacao } = await run(id, 'assinaturas')
  expect(importacao).toMatchObject({ status: 'done', processadas: 1_200, aceitas: 1_200 })
  expect(await site.rows('select count(*)::int as n from peticoes')).toEqual([{ n: 1_200 }])
})

const header = 'Nome;E-mail;WhatsApp;Cidade;UF'
const listOf = (addresses: string[]) =>
  [header, ...addresses.map((address) => `Fulana;${address};0000000000;Belém;PA`)].join('\n')
const manyAddresses = (count: number) => Array.from({ length: count }, (_, n) => `f${n}@example.org`)

test('an import does not undo an unsubscribe, and its rows never subscribe again', async () => {
  await site.rows(
    `insert into enderecos ("addressHmac", "unsubscribedAt", "doNotContactAt") values ($1, now(), null), ($2, null, now())`,
    ['saiu@example.org', 'nunca@example.org'].map((email) => addressHmac(site.addressKey, email)),
  )
  const list = listOf(['saiu+feira@example.org', 'nunca@example.org', 'aceita@example.org'])
  expect((await run(await stage(list), 'assinaturas', { declaraNovidades: true })).importacao.aceitas).toBe(3)
  const stored = await site.rows('select email, "aceitaNovidades" as accepts from peticoes order by email')
  expect(stored).toEqual([
    { email: 'aceita@example.org', accepts: true },
    { email: 'nunca@example.org', accepts: false },
    { email: 'saiu+feira@example.org', accepts: false },
  ])

  // Left the news while the import ran, so that the row looks newer than the wish.
  await site.rows(`insert into enderecos ("addressHmac", "unsubscribedAt") values ($1, now() - interval '1 minute')`, [
    addressHmac(site.addressKey, 'aceita@example.org'),
  ])
  const secret = linkSecret()
  await site.rows(
    `insert into email_tokens (digest, action, "addressHmac", "recordId", "expiresAt")
    select $1, 'confirmar', $2, id, now() + interval '1 day' from peticoes where email = 'aceita@example.org'`,
    [digestOf(secret), addressHmac(site.addressKey, 'aceita@example.org')],
  )
  expect((await postForm(`${site.url}/confirmar/${secret}`, {}, { redirect: 'manual' })).status).toBeLessThan(400)
  expect(
    await site.rows('select 1 from enderecos where "unsubscribedAt" is null and "doNotContactAt" is null'),
  ).toEqual([])
})

test('an address that repeats far below is a repeat of the file', async () => {
  const { rejeitadas } = await run(await stage(listOf([...manyAddresses(1_100), 'f0@example.org'])), 'assinaturas')
  expect(rejeitadas).toEqual([{ linha: 1_102, motivo: texts.repeated }])
})

test('imported signatures are counted in the total, and not as signed today', async () => {
  expect((await postJson(`${site.url}/api/campaigns/juros/signatures`, aSignature())).status).toBe(201)
  await run(await stage(listOf(manyAddresses(3))), 'assinaturas')
  await expect
    .poll(async () => (await fetch(`${site.url}/api/campaigns/juros/count`)).json(), { timeout: 15_000 })
    .toMatchObject({ hoje: 1 })
  expect(await site.rows(`select sum(n)::int as n from ${signatureCountsSql} where campanha = 'juros'`)).toEqual([
    { n: 4 },
  ])
})

test.each([
  ['this version', true],
  ['an earlier version', false],
])(
  'an import that %s began before midnight is signed neither yesterday nor today',
  { timeout: 90_000 },
  async (_, hasHours) => {
    await avoidBoundary('hour')
    expect((await postJson(`${site.url}/api/campaigns/juros/signatures`, aSignature())).status).toBe(201)
    const yesterday = `date_trunc('hour', now() - interval '1 day')`
    const count = (n: number) =>
      site.rows(
        `insert into signature_count_changes (campanha, estado, hora, n) values ('juros', 'PA', ${yesterday}, $1)`,
        [n],
      )
    await count(4)
    const id = await stage(listOf(manyAddresses(600)))
    // Another node holds the lease, and stored 100 rows before midnight.
    await site.rows(
      `update imports set "leasedBy" = gen_random_uuid(), "leasedUntil" = now() + interval '1 hour' where id = $1`,
      [id],
    )
    const running = run(id, 'assinaturas')
    await expect.poll(async () => (await details(id)).importacao.status).toBe('running')
    await count(100)
    const hours = `jsonb_build_object('acceptedByHour', jsonb_build_object(extract(epoch from ${yesterday})::bigint, 100))`
    await site.rows(
      `update imports set processed = 100, accepted = 100, "updatedAt" = now() - interval '1 day', "leasedUntil" = null,
      mapping = mapping || ${hasHours ? hours : "'{}'"} where id = $1`,
      [id],
    )

    expect((await running).importacao).toMatchObject({ status: 'done', processadas: 600, aceitas: 600 })
    const counted = (counts: string) =>
      site.rows(`select hora = date_trunc('hour', now()) as "isNow", sum(n)::int as n
      from ${counts} counts where campanha = 'juros' group by hora order by hora`)
    expect(await counted(signatureCounts)).toEqual([
      { isNow: false, n: 104 },
      { isNow: true, n: 501 },
    ])
    expect(await counted(signedCounts)).toEqual([
      { isNow: false, n: 4 },
      { isNow: true, n: 1 },
    ])
  },
)

test('imported records have the time of the database, not that of a node with a wrong clock', async () => {
  const [volunteers, signers] = [
    await stage('Nome;E-mail;WhatsApp;Tarefas\nV;v@example.org;11900000000;QUERO CRIAR CONTEÚDO', 'voluntarios'),
    await stage(listOf(manyAddresses(2))),
  ]
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * 60 * 60_000 })
  onTestFinished(() => void vi.useRealTimers())
  await run(volunteers, 'voluntarios')
  await run(signers, 'assinaturas')

  for (const table of ['contacts', 'peticoes'])
    expect(
      await site.rows(`select 1 from ${table} where "createdAt" not between now() - interval '5 minutes' and now()`),
    ).toEqual([])
})

describe('a person who is erased', () => {
  const erase = async (email: string) => {
    const [row] = await site.rows<{ id: string }>('select id from peticoes where email = $1', [email])
    await admin.ask('DELETE', `/api/admin/pessoas/assinaturas/${row?.id}`)
  }
  const sign = (email: string) => postJson(`${site.url}/api/campaigns/brasilquerpaz/signatures`, aSignature({ email }))

  test('is erased from the file of an import that has not started', async () => {
    const id = await stage(listOf(['fica@example.org', 'v1.a+x@gmail.com', 'depois@example.org']))
    expect((await sign('v1a@gmail.com')).status).toBe(201)
    await erase('v1a@gmail.com')
    const { importacao, rejeitadas } = await run(id, 'assinaturas')
    expect(importacao).toMatchObject({ status: 'done', total: 3, aceitas: 2 })
    expect(rejeitadas).toEqual([{ linha: 3, motivo: texts.erased }])
    const { file } = await downloadExport(await admin.call('GET', `/api/admin/importacoes/${id}/rejeitadas`))
    expect(file.toString()).not.toContain('v1')
  })

  test('is erased from the file of a running import, which continues', async () => {
    const id = await stage(listOf([...manyAddresses(6_000), 'some@example.org']))
    expect((await sign('some@example.org')).status).toBe(201)
    // Another node stored rows of the file and holds the lease.
    await site.rows(
      `update imports set "leasedBy" = gen_random_uuid(), "leasedUntil" = now() + interval '1 hour' where id = $1`,
      [id],
    )
    const running = run(id, 'assinaturas')
    await expect.poll(async () => (await details(id)).importacao.status).toBe('running')
    await erase('some@example.org')
    const { importacao, rejeitadas } = await running
    expect(importacao).toMatchObject({ status: 'done', processadas: 6_001, aceitas: 6_000 })
    expect(rejeitadas).toEqual([{ linha: 6_002, motivo: texts.erased }])
    expect(await site.rows(`select 1 from peticoes where email = 'some@example.org'`)).toEqual([])
  })

  test('is not stored by the node that has read the former file', { timeout: 180_000 }, async () => {
    // An import that ends before its file is rewritten proves nothing: then a longer one is tried.
    for (const rows of [20_000, 80_000]) {
      const person = `some${rows}@example.org`
      const others = Array.from({ length: rows }, (_, n) => `f${n}.${rows}@example.org`)
      const id = await stage(listOf([...others, person]))
      expect((await sign(person)).status).toBe(201)
      const running = run(id, 'assinaturas')
      await expect
        .poll(async () => (await details(id)).importacao.processadas, { interval: 5, timeout: 30_000 })
        .toBeGreaterThan(0)
      await erase(person)
      const { status } = (await details(id)).importacao
      const { importacao, rejeitadas } = await running
      if (status !== 'running' && rows < 80_000) continue
      expect(importacao).toMatchObject({ status: 'done', processadas: rows + 1, aceitas: rows })
      expect(rejeitadas).toEqual([{ linha: rows + 2, motivo: texts.erased }])
      return
    }
  })
})

describe('the draft that an import names', () => {
  async function startForDraft(): Promise<{ id: number; campaign: number }> {
    const draft = aCampaign({ slug: 'rascunho-da-lista', isActive: false })
    const { campaign } = await admin.ask<{ campaign: { id: number } }>('POST', '/api/admin/campaigns', draft)
    const id = await stage(listOf(manyAddresses(2)))
    // Nobody runs it yet.
    await site.rows(
      `update imports set "leasedBy" = gen_random_uuid(), "leasedUntil" = now() + interval '1 hour' where id = $1`,
      [id],
    )
    await admin.ask('POST', `/api/admin/importacoes/${id}/iniciar`, {
      ...settings,
      campanha: 'rascunho-da-lista',
      mapeamento: guessMapping('assinaturas', header.split(';')),
    })
    return { id, campaign: campaign.id }
  }

  test('is not deleted, and without it the import fails with a reason', async () => {
    const { id, campaign } = await startForDraft()
    const refused = await admin.call('DELETE', `/api/admin/campaigns/${campaign}`)
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { message: adminMessages.campaign.deleteImporting },
    ])
    await site.rows('delete from campaigns where id = $1', [campaign])
    await site.rows('update imports set "leasedUntil" = null where id = $1', [id])
    await expect.poll(async () => (await details(id)).importacao.status, { timeout: 10_000 }).toBe('failed')
    expect((await details(id)).importacao).toMatchObject({ motivo: texts.campaignGone, aceitas: 0 })
    const [entry] = await site.rows('select target from admin_actions where action = $1', ['Parou de importar pessoas'])
    expect(entry).toEqual({ target: `assinaturas, importação ${id}, 0 aceitas, 0 rejeitadas` })
  })
})
