// Each record has one row in the spreadsheet, whatever Google answers and however people edit the sheet.
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { cellOf } from '#contract/csv.ts'
import { openLocalMailbox } from '#server/adapters/local-mail.ts'
import { type GoogleSpreadsheetOptions, openGoogleSpreadsheet } from '#server/adapters/sheets/google.ts'
import type { Spreadsheet } from '#server/adapters/sheets/spreadsheet.ts'
import { createBackgroundThrottle } from '#server/core/background-throttle.ts'
import { readConfig } from '#server/core/config.ts'
import { createLog } from '#server/core/log.ts'
import { createMetrics } from '#server/core/metrics.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { addressHmacSql } from '#server/db/mailbox.ts'
import { createDeliveries } from '#server/outbox/deliveries.ts'
import { createFormerSheetErasure } from '#server/outbox/sheet/former-sheets.ts'
import { createSheetSync, type SheetSync } from '#server/outbox/sheet/sync-sheet.ts'
import { aContact, aLeader, anInfluencer, aSignature } from '#tests/helpers/factories.ts'
import { seed } from '#tests/helpers/random.ts'
import { temporaryFolder } from '#tests/helpers/server-process.ts'
import { type SheetsServer, startSheetsServer } from '#tests/helpers/sheets-server.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let database: Database
let folder: string
let sheets: SheetsServer
beforeAll(async () => {
  site = await openTestSite()
  database = openDatabase(site.engine, createLog('silent'), site.addressKey)
})
afterAll(async () => {
  await database.close()
  await site.close()
})
beforeEach(async () => {
  await site.empty()
  await site.rows('delete from planilhas')
  folder = temporaryFolder()
  sheets = await startSheetsServer({ folder })
  onTestFinished(async () => {
    await sheets.close()
    rmSync(folder, { recursive: true, force: true })
  })
})

/** A node that writes records to the sheet. */
function aNode(env: Record<string, string> = sheets.env, secondCheckMs = 300): SheetSync & { stop(): Promise<void> } {
  const throttle = createBackgroundThrottle()
  const settings = readConfig({ DATA_DIR: folder, ...env })
  const periods = { secondCheckMs, gatherMs: 100, shortestPauseMs: 20, leasePollMs: 50 }
  const sync = createSheetSync({ database, settings, throttle, periods })
  const log = createLog('silent')
  const parts = {
    database,
    log,
    metrics: createMetrics(),
    throttle,
    reminders: async () => false,
    handlers: [sync.handler, createFormerSheetErasure(database, settings)],
    mailbox: openLocalMailbox(''),
  }
  const deliveries = createDeliveries({ ...parts, options: { pollMs: 50 } })
  deliveries.start()
  onTestFinished(() => deliveries.stop())
  return { ...sync, stop: deliveries.stop }
}

/** The spreadsheet itself, without a node. */
function aSpreadsheet(options: Partial<GoogleSpreadsheetOptions> = {}): Spreadsheet {
  const stopping = new AbortController()
  return openGoogleSpreadsheet({
    ...{ id: sheets.id, address: '', accountFile: sheets.env.GOOGLE_SERVICE_ACCOUNT ?? '', url: sheets.url },
    ...{ beforeWrite: async () => {}, leaving: () => stopping.signal, ...options },
  })
}

const juros = { title: 'juros', columns: ['ID', 'Nome'] }

/** Like Google, keeps the id of the tab. */
function renameTab(title: string, newTitle: string): void {
  const tab = sheets.tabs.tab(title)
  if (tab) tab.title = newTitle
}

const post = (path: string, body: object) =>
  fetch(site.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Stores and queues `n` signatures of `juros` at once, like signing does. */
async function sign(n: number, perRow = n): Promise<string[]> {
  const rows = await site.rows<{ id: string }>(
    `with given as materialized (select gen_random_uuid() as id, n from generate_series(1, $1::int) n),
    stored as (
      insert into peticoes (id, "requestId", campanha, nome, email, "canonicalEmail", whatsapp, cidade, estado, "versaoConsentimento")
      select id, id, 'juros', 'Fulana ' || n, id || '@example.org', id || '@example.org', '00900000000', 'Cidade', 'SP', '1' from given),
    queued as (
      insert into outbox (kind, payload) select 'assinaturas', jsonb_agg(id) from given group by n / $2::int)
    select id from given order by id`,
    [n, perRow],
  )
  return rows.map(({ id }) => id)
}

const waiting = () =>
  site.rows(`select kind, payload from outbox where kind not in ('emails', 'email', 'lembretes', 'planilha-conferir')`)
const allQueued = () => site.rows(`select kind, payload from outbox where kind not in ('emails', 'email', 'lembretes')`)
const drained = () => expect.poll(waiting, { timeout: 25_000, interval: 100 }).toEqual([])
const settled = () => expect.poll(allQueued, { timeout: 25_000, interval: 100 }).toEqual([])
const idsIn = (tab: string) => sheets.tabs.texts(tab).map(([id]) => id)
const sorted = (ids: (string | undefined)[]) => ids.toSorted()

test('every kind of record has its tab with titles, without reserved data', async () => {
  const people = [aSignature(), aContact(), anInfluencer(), aLeader()] as const
  const [signature, contact, influencer, leader] = people
  await post('/api/peticoes', { ...signature, nome: '=HYPERLINK("https://example.org")' })
  await post('/api/contacts', contact)
  await post('/api/lideres', influencer)
  await post('/api/formulario-lideres', leader)

  aNode()
  await drained()

  const titles = sheets.tabs.all().map(({ title }) => title)
  expect(titles.toSorted()).toEqual(['Influenciadores', 'Lideres', 'Voluntarios', 'juros'])
  for (const title of titles) expect(sheets.tabs.texts(title).length).toBe(2)
  const [head, row] = sheets.tabs.texts('juros')
  expect(head).toEqual(
    'ID,Data,Campanha,Nome,E-mail,WhatsApp,Cidade,Estado,Redes sociais,Aceita novidades,WhatsApp E.164,Confirmada,Origem'.split(
      ',',
    ),
  )
  expect(row?.slice(2)).toEqual([
    ...['juros', `'=HYPERLINK("https://example.org")`, signature.email, signature.whatsapp],
    ...['Cidade Inventada', 'SP', '', 'não aceita', '', 'não', ''],
  ])
  expect(row?.[1]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  const leaders = JSON.stringify(sheets.tabs.texts('Lideres'))
  expect(leaders).toContain(leader.motivacao)
  expect(leaders).toContain('Manhã (8h às 12h), Fins de semana')
  for (const secret of [leader.cpf, leader.cpf.replace(/\D/g, ''), leader.nascimento, leader.endereco, leader.cep])
    expect(leaders).not.toContain(secret)
  expect(sheets.tabs.all().flatMap(({ rows }) => rows.flat().filter(({ kind }) => kind === 'formula'))).toEqual([])
})

test.each(['dropped', 'error', 'quota'] as const)('a write that fails with %s leaves one row', async (fault) => {
  const ids = await sign(5)
  sheets.failNext('write', fault, fault, fault)

  aNode()
  await drained()

  expect(sorted(idsIn('juros').slice(1))).toEqual(sorted(ids))
})

test('a write that Google performs after its timeout leaves one row after the second check of the tab', {
  tags: ['slow'],
}, async () => {
  await sheets.close()
  sheets = await startSheetsServer({ folder, lateMs: 6_000 })
  // The second check comes after the late write, like the minute in production.
  aNode(sheets.env, 5_000)
  const early = await sign(3)
  await drained()
  sheets.failNext('write', 'late')
  const late = await sign(3)

  await drained()
  expect(sorted(idsIn('juros').slice(1))).toEqual(sorted([...early, ...late]))
  await expect.poll(() => idsIn('juros').length, { timeout: 10_000, interval: 10 }).toBe(10)
  await settled()

  expect(sorted(idsIn('juros').slice(1))).toEqual(sorted([...early, ...late]))
})

test('a node that takes over from a killed node checks the sheet before it writes', async () => {
  const ids = await sign(4)
  aNode()
  await drained()
  // Killed between the write and its record: the queue still has the delivery, marked as sent.
  const payload = { aba: 'juros', tabela: 'peticoes', ids, duvida: true }
  await site.rows(`insert into outbox (kind, payload) values ('planilha', $1)`, [JSON.stringify(payload)])
  const written = sheets.writes.length

  await settled()

  expect(sheets.writes.length).toBe(written)
  expect(sorted(idsIn('juros').slice(1))).toEqual(sorted(ids))
})

test('sorting, moving, renaming and adding columns, rows and tabs does not break the sheet', async () => {
  const node = aNode()
  const first = await sign(3)
  await drained()
  const tab = sheets.tabs.tab('juros')
  const [head = [], ...rows] = tab?.rows ?? []
  // All columns except the id are reversed, with one added by people; rows are reversed, with a note added.
  const rearrange = <T>([id, ...rest]: T[], added: T) => [id as T, added, ...rest.toReversed()]
  const note = { kind: 'text', text: 'ligar' } as const
  const empty = { kind: 'empty', text: '' } as const
  if (tab) tab.rows = [rearrange(head, note), ...rows.toReversed().map((row) => rearrange(row, empty)), [empty, note]]
  // A node reads a tab again only after a minute. A new node has no cached state.
  await node.stop()
  aNode()

  const second = await sign(2)
  await drained()

  expect(idsIn('juros').slice(1)).toEqual([...first.toReversed(), '', ...second])
  const [titles = [], ...people] = sheets.tabs.texts('juros')
  const names = people.map((row) => row[titles.indexOf('Nome')]).filter(Boolean)
  expect(names.toSorted()).toEqual(['Fulana 1', 'Fulana 1', 'Fulana 2', 'Fulana 2', 'Fulana 3'])
})

test('a tab that people rename or delete is created again when the node reads the tabs again', async () => {
  const node = aNode()
  await sign(2)
  await drained()
  renameTab('juros', 'antiga')
  // A node reads the tabs again only after a minute. A new node has no cached state.
  await node.stop()
  aNode()

  const later = await sign(2)
  await drained()
  sheets.tabs.remove('juros')
  const last = await sign(2)
  await drained()

  expect(sorted(idsIn('juros').slice(1))).toEqual(sorted(last))
  expect(idsIn('antiga').length).toBe(3)
  expect(idsIn('antiga')).not.toContain(later[0])
})

test('new rows go into the tab that has the name now, not into the renamed one', async () => {
  const google = aSpreadsheet({ tabCacheMs: 0 })
  const [early, late] = [crypto.randomUUID(), crypto.randomUUID()]
  await google.append(juros, [[early, 'Fulana']])
  renameTab('juros', 'juros semana 1')
  sheets.tabs.update([{ addSheet: { properties: { sheetId: 77, title: 'juros' } } }])

  await google.append(juros, [[late, 'Beltrana']])

  expect(idsIn('juros semana 1')).toEqual(['ID', early])
  expect(idsIn('juros')).toEqual([late])
})

test('rows are removed from the tab that has the name now, also if its copy had the name before', async () => {
  const google = aSpreadsheet()
  const [kept, removedId] = [crypto.randomUUID(), crypto.randomUUID()]
  await google.append(juros, [
    [kept, 'Fulana'],
    [removedId, 'Beltrana'],
  ])
  const copied = sheets.tabs.tab('juros')?.rows ?? []
  renameTab('juros', 'juros semana 1')
  sheets.tabs.all().push({ sheetId: 77, title: 'juros', rows: [...copied], columns: 26 })

  const { removed, present, lost } = await google.tidy(juros, { erased: new Set([removedId]), copies: 'remove' })

  expect({ removed, present, lost }).toEqual({ removed: new Set([removedId]), present: new Set([kept]), lost: [] })
  expect(idsIn('juros')).toEqual(['ID', kept])
  expect(idsIn('juros semana 1')).toEqual(['ID', kept, removedId])
})

test('a tab with only columns of people is searched without an error', async () => {
  const google = aSpreadsheet()
  const titles = ['Nome', 'E-mail', 'WhatsApp'].map((text) => ({ kind: 'text', text }) as const)
  sheets.tabs.all().push({ sheetId: 77, title: 'lista', rows: [titles], columns: 3 })

  const tidied = await google.tidy(
    { ...juros, columns: ['ID', 'Nome', 'E-mail'], title: 'lista' },
    { erased: new Set([crypto.randomUUID()]), copies: 'keep' },
  )

  expect(tidied).toEqual({ present: new Set(), removed: new Set(), lost: [] })
})

test('after people deleted the id column, new rows have their ids after the other columns', async () => {
  const google = aSpreadsheet({ tabCacheMs: 0 })
  await google.append(juros, [[crypto.randomUUID(), 'Fulana']])
  const tab = sheets.tabs.tab('juros')
  if (tab) Object.assign(tab, { rows: tab.rows.map((row) => row.slice(1)), columns: tab.columns - 1 })

  const late: string[] = [crypto.randomUUID(), crypto.randomUUID()]
  for (const id of late) await google.append(juros, [[id, 'Beltrana']])

  const idColumn = juros.columns.length - 1
  expect(sheets.tabs.texts('juros').map((row) => row[idColumn])).toEqual([undefined, undefined, ...late])
  const { present } = await google.tidy(juros, { erased: new Set(), copies: 'remove' })
  expect([...present].filter((id) => late.includes(id))).toEqual(late)
})

test('reading the tabs takes two reads a minute, however many writes there are', async () => {
  const google = aSpreadsheet()
  await google.append(juros, [[crypto.randomUUID(), 'Fulana']])
  const again = aSpreadsheet()

  for (let n = 0; n < 20; n++) await again.append(juros, [[crypto.randomUUID(), 'Beltrana']])

  expect(sheets.counts.read).toBe(1 + 2)
})

test('erasing a person without a row does not change the columns of other tabs', async () => {
  await post('/api/contacts', aContact())
  await post('/api/formulario-lideres', aLeader())
  aNode()
  await drained()
  const payload = { aba: 'juros', tabela: 'peticoes', id: crypto.randomUUID() }
  await site.rows(`insert into outbox (kind, payload) values ('planilha-remover', $1)`, [JSON.stringify(payload)])
  await settled()

  const [contact, leader] = [aContact(), aLeader()]
  await post('/api/contacts', contact)
  await post('/api/formulario-lideres', leader)
  await drained()

  const cell = (tab: string, title: string) => {
    const [titles = [], ...rows] = sheets.tabs.texts(tab)
    return rows.at(-1)?.[titles.indexOf(title)]
  }
  expect([cell('Voluntarios', 'Nome'), cell('Voluntarios', 'E-mail')]).toEqual([contact.name, contact.email])
  expect([cell('Lideres', 'Nome'), cell('Lideres', 'Motivação')]).toEqual([leader.nome, leader.motivacao])
})

test('searching all tabs takes one read each, within the rate limit of Google', async () => {
  const titles = Array.from({ length: 12 }, (_, n) => `aba ${n}`)
  for (const [n, title] of titles.entries()) sheets.tabs.all().push({ sheetId: n + 1, title, rows: [], columns: 26 })
  const google = aSpreadsheet({ readLimit: { most: 5, withinMs: 1_000 } })
  const startedAt = performance.now()

  for (const title of await google.titles())
    await google.tidy({ ...juros, title }, { erased: new Set([crypto.randomUUID()]), copies: 'keep' })

  expect(sheets.counts.read).toBe(1 + titles.length)
  expect(performance.now() - startedAt).toBeGreaterThan(2_000)
})

test('a row of another tab that was cut off is restored when an erasure search finds it', async () => {
  const { readFileSync, truncateSync } = await import('node:fs')
  await post('/api/contacts', aContact())
  aNode({})
  await settled()
  const file = `${folder}/planilhas/Voluntarios.csv`
  const whole = readFileSync(file, 'utf8')
  truncateSync(file, Buffer.byteLength(whole) - 20)

  const payload = { aba: 'juros', tabela: 'peticoes', id: crypto.randomUUID() }
  await site.rows(`insert into outbox (kind, payload) values ('planilha-remover', $1)`, [JSON.stringify(payload)])
  await settled()

  expect(readFileSync(file, 'utf8')).toBe(whole)
})

test('the rows of people who were erased together are removed wherever they are, and no others', async () => {
  aNode()
  const ids = await sign(5)
  await drained()
  const tab = sheets.tabs.tab('juros')
  tab?.rows.splice(1, 5, ...(tab.rows.slice(1).toReversed() ?? []))

  const [first, second = '', third, fourth = '', fifth] = ids
  await site.rows('delete from peticoes where id in ($1, $2)', [second, fourth])
  const payload = { aba: 'juros', ids: [second, fourth] }
  await site.rows(`insert into outbox (kind, payload) values ('planilha-remover', $1)`, [JSON.stringify(payload)])
  await settled()

  expect(idsIn('juros').slice(1)).toEqual([fifth, third, first])
})

test('the row of an erased person is found in the former tab of the campaign', async () => {
  aNode()
  const ids = await sign(2)
  await drained()

  await site.rows('delete from peticoes where id = $1', [ids[0]])
  const payload = { aba: 'outra aba', tabela: 'peticoes', id: ids[0] }
  await site.rows(`insert into outbox (kind, payload) values ('planilha-remover', $1)`, [JSON.stringify(payload)])
  await settled()

  expect(idsIn('juros').slice(1)).toEqual(ids.slice(1))
})

const erase = (id: string | undefined) =>
  site.rows(
    `with gone as (delete from peticoes where id = $1::uuid)
    insert into outbox (kind, payload) values ('planilha-remover', jsonb_build_object('aba', 'juros', 'id', $1::text))`,
    [id],
  )

test('an erased person is removed from every spreadsheet that was ever used', async () => {
  const first = aNode({})
  const [erased, ...others] = await sign(3)
  await drained()
  await first.stop()
  const file = () => readFileSync(`${folder}/planilhas/juros.csv`, 'utf8')
  expect(file()).toContain(erased)
  aNode()

  await erase(erased)
  await settled()

  expect(others.filter((id) => !file().includes(id))).toEqual([])
  expect(file()).not.toContain(erased)
})

test.each([
  // The account is only used together with an id of a sheet.
  ['without an account', () => ({}), 'a conta de serviço do Google não está configurada'],
  [
    'not shared any more',
    () => ({ ...sheets.env, GOOGLE_SHEETS_ID: 'outra-planilha' }),
    'A planilha não está compartilhada com a conta de serviço',
  ],
])(
  'a former spreadsheet %s makes a dead letter, and the row is removed when the sheet is available again',
  async (_, env, reason) => {
    const before = aNode()
    const [erased, ...others] = await sign(2)
    await drained()
    await before.stop()
    sheets.shared = false
    const now = aNode(env())

    await erase(erased)

    const deadLetters = () => site.rows('select kind, payload, reason from outbox where dead')
    await expect.poll(deadLetters, { timeout: 20_000 }).toEqual([
      {
        kind: 'planilha-remover-antiga',
        payload: { planilha: `google:${sheets.id}`, aba: 'juros', tabela: 'peticoes', ids: [erased] },
        reason: expect.stringContaining(`Planilha usada antes (google:${sheets.id}): ${reason}`),
      },
    ])
    await now.stop()
    sheets.shared = true
    await site.rows('update outbox set dead = false, "dueAt" = now() where dead')
    aNode()
    await settled()
    expect(idsIn('juros').slice(1)).toEqual(others)
  },
)

test('a deleted former spreadsheet needs no work', async () => {
  await site.rows(`insert into planilhas (name) values ('google:apagada')`)
  aNode()
  const [erased] = await sign(1)
  await drained()

  await erase(erased)

  await settled()
  expect(idsIn('juros')).toHaveLength(1)
})

test('in a full spreadsheet the row of an erased person is removed before more rows are written', async () => {
  aNode()
  const [erased, ...others] = await sign(3)
  await drained()
  sheets.full = true
  // Each failing row is tried alone, a minute apart.
  for (let n = 0; n < 12; n++) await sign(1)
  await expect.poll(() => site.rows('select from outbox where reason is not null'), { timeout: 20_000 }).not.toEqual([])

  await erase(erased)
  const before = sheets.writes.length

  await expect.poll(() => idsIn('juros').slice(1), { timeout: 20_000 }).toEqual(others)
  // One write may have been in progress.
  expect(sheets.writes.length - before).toBeLessThanOrEqual(2)
})

test('a person erased before their row was written never gets a row', async () => {
  const ids = await sign(3)
  await site.rows('delete from peticoes where id = $1', [ids[0]])
  await site.rows(
    `insert into outbox (kind, payload) values ('planilha-remover', jsonb_build_object('aba', 'juros', 'id', $1::text))`,
    [ids[0]],
  )

  aNode()
  await settled()

  expect(sorted(idsIn('juros').slice(1))).toEqual(sorted(ids.slice(1)))
})

/** Like the links of e-mails: changes the database and queues the rows. */
async function change(ids: string[], statement: string): Promise<void> {
  await site.rows(statement, [ids])
  const payload = { aba: 'juros', tabela: 'peticoes', ids }
  await site.rows(`insert into outbox (kind, payload) values ('planilha-atualizar', $1)`, [JSON.stringify(payload)])
}
const unsubscribe = (ids: string[]) =>
  change(
    ids,
    `insert into enderecos ("addressHmac", "unsubscribedAt")
    select ${addressHmacSql('"canonicalEmail"')}, now() from peticoes where id = any($1::uuid[])`,
  )
const confirm = (ids: string[]) => change(ids, 'update peticoes set "confirmadoEm" = now() where id = any($1::uuid[])')

/** The cells below a title, by id. */
function cellsOf(tab: string, title: string): Record<string, string | undefined> {
  const [titles = [], ...rows] = sheets.tabs.texts(tab)
  const [id, column] = [titles.indexOf('ID'), titles.indexOf(title)]
  return Object.fromEntries(rows.filter((row) => row[id]).map((row) => [row[id], row[column]]))
}

test('consent and confirmation are updated in sorted and moved rows, and no other cell changes', async () => {
  const node = aNode()
  const ids = await sign(4)
  await drained()
  const tab = sheets.tabs.tab('juros')
  const [head = [], ...rows] = tab?.rows ?? []
  const note = { kind: 'text', text: 'ligar' } as const
  const corrected = { kind: 'text', text: 'Nome corrigido' } as const
  // People reversed the rows, inserted a column, and corrected a name.
  if (tab) {
    const nameColumn = head.findIndex(({ text }) => text === 'Nome')
    const reversed = rows.toReversed().map((row) => row.toSpliced(nameColumn, 1, corrected))
    tab.rows = [head, ...reversed].map((row) => [row[0] ?? note, note, ...row.slice(1)])
    tab.columns += 1
  }
  await node.stop()
  aNode()
  const before = sheets.tabs.texts('juros')

  await unsubscribe(ids.slice(0, 1))
  await confirm(ids.slice(1, 2))
  await drained()

  const [first = '', second = '', ...others] = ids
  const same = (value: string) => Object.fromEntries(others.map((id) => [id, value]))
  expect(cellsOf('juros', 'Aceita novidades')).toEqual({
    [first]: 'saiu',
    [second]: 'não aceita',
    ...same('não aceita'),
  })
  expect(cellsOf('juros', 'Confirmada')).toEqual({ [first]: 'não', [second]: 'sim', ...same('não') })
  const after = sheets.tabs.texts('juros')
  const changed = after.flatMap((row, rowIndex) => row.filter((text, column) => text !== before[rowIndex]?.[column]))
  expect(changed.toSorted()).toEqual(['saiu', 'sim'])
})

test('consent is updated in the first row too if the titles were deleted', async () => {
  const node = aNode()
  await sign(2)
  await drained()
  await node.stop()
  const consentColumn = sheets.tabs.texts('juros')[0]?.indexOf('Aceita novidades') ?? -1
  sheets.tabs.tab('juros')?.rows.shift()
  const ids = idsIn('juros').map(String)
  aNode()

  await unsubscribe(ids.slice(0, 1))
  await drained()

  expect(sheets.tabs.texts('juros').map((row) => [row[0], row[consentColumn]])).toEqual([
    [ids[0], 'saiu'],
    [ids[1], 'não aceita'],
  ])
})

test('a tab of an earlier version gets the new columns after those of people, and all its rows are filled', async () => {
  const ids = await sign(3)
  const node = aNode()
  await drained()
  await node.stop()
  // The state of an earlier version, with two columns of people: one has a title, the other has none.
  const tab = sheets.tabs.tab('juros')
  const text = (content: string) => ({ kind: 'text', text: content }) as const
  const addedCells = (row: number) => [text(row === 0 ? 'Observações' : 'ligar'), text(row === 0 ? '' : 'ontem')]
  if (tab) {
    tab.rows = tab.rows.map((row, at) => [
      ...row.slice(0, 9),
      text(at === 0 ? 'Aceita novidades' : 'Sim'),
      ...addedCells(at),
    ])
    tab.columns = 26
  }
  const before = sheets.tabs.texts('juros')

  aNode()
  await site.rows(`update peticoes set whatsapp = '11987654321', "aceitaNovidades" = true`)
  await unsubscribe(ids)
  await drained()
  const later = await sign(1)
  await drained()

  const [head = [], ...rows] = sheets.tabs.texts('juros')
  expect(head.slice(0, 11)).toEqual(before[0]?.slice(0, 11))
  for (const [at, row] of rows.slice(0, 3).entries()) {
    expect(row.slice(0, 9)).toEqual(before[at + 1]?.slice(0, 9))
    expect(row.slice(10, 12)).toEqual(['ligar', 'ontem'])
  }
  for (const id of ids) {
    expect(cellsOf('juros', 'Aceita novidades')[id]).toBe('saiu')
    expect(cellsOf('juros', 'WhatsApp E.164')[id]).toBe('+5511987654321')
    expect(cellsOf('juros', 'Confirmada')[id]).toBe('não')
  }
  expect(head.filter((title) => title === 'Confirmada').length).toBe(1)
  expect(cellsOf('juros', 'Confirmada')[later[0] ?? '']).toBe('não')
  // The new columns are in positions that were empty in the old rows.
  expect(head.indexOf('WhatsApp E.164')).toBeGreaterThanOrEqual(12)
})

test('rows that are sorted between reading and writing are corrected', async () => {
  const ids = await sign(5)
  aNode()
  await drained()
  const update = sheets.tabs.update.bind(sheets.tabs)
  let sorts = 2
  sheets.tabs.update = (requests) => {
    const tab = sheets.tabs.tab('juros')
    if (tab && sorts-- > 0) tab.rows = [...tab.rows.slice(0, 1), ...tab.rows.slice(1).toReversed()]
    update(requests)
  }

  await unsubscribe(ids.slice(0, 1))
  await drained()

  const [unsubscribed = '', ...others] = ids
  expect(cellsOf('juros', 'Aceita novidades')).toEqual({
    [unsubscribed]: 'saiu',
    ...Object.fromEntries(others.map((id) => [id, 'não aceita'])),
  })
})

test('many changed rows take few writes, and are current after a fault', async () => {
  const ids = await sign(700, 100)
  aNode()
  await drained()
  const written = sheets.writes.length
  sheets.failNext('write', 'dropped')

  await confirm(ids)
  await settled()

  expect(new Set(Object.values(cellsOf('juros', 'Confirmada')))).toEqual(new Set(['sim']))
  expect(sheets.writes.length - written).toBeLessThanOrEqual(6)
})

test('a row in the former tab of the campaign is updated there; tabs without such rows do not change', async () => {
  const ids = await sign(2)
  await site.rows(`update peticoes set "createdAt" = now() - interval '1 hour'`)
  aNode()
  await drained()
  renameTab('juros', 'juros semana 1')
  sheets.tabs.all().push({ sheetId: 77, title: 'lista', rows: [[{ kind: 'text', text: 'Nome' }]], columns: 3 })

  await unsubscribe(ids)
  await drained()

  expect(new Set(Object.values(cellsOf('juros semana 1', 'Aceita novidades')))).toEqual(new Set(['saiu']))
  expect(sheets.tabs.texts('lista')).toEqual([['Nome']])
})

test('an unshared sheet is reported with instructions, counts no attempts, and gets all rows when it is shared', async () => {
  const ids = await sign(3)
  sheets.shared = false
  const node = aNode()

  await expect.poll(async () => (await node.state()).failing, { timeout: 10_000 }).toBe(true)
  const { lastFailure, lastSuccess, waiting: records, kind, address } = await node.state()
  expect(lastFailure?.reason).toContain('dê acesso de Editor a mobiliza@projeto-ficticio')
  expect({ lastSuccess, records, kind }).toEqual({ lastSuccess: null, records: 3, kind: 'google' })
  expect(address).toBe(sheets.url)
  expect(await site.rows('select attempts, dead from outbox where dead or attempts > 0')).toEqual([])

  sheets.shared = true
  await drained()
  // The outcome is stored after the rows have left the queue.
  await expect.poll(() => node.state()).toMatchObject({ failing: false, waiting: 0 })
  expect(sorted(idsIn('juros').slice(1))).toEqual(sorted(ids))
})

test('a protected tab does not stop the others', async () => {
  const ids = await sign(3)
  aNode()
  await drained()
  sheets.protectedTabs.add('juros')
  const more = await sign(3)
  for (let n = 0; n < 3; n++) await post('/api/contacts', aContact())

  await expect.poll(() => idsIn('Voluntarios').length, { timeout: 20_000 }).toBe(4)
  expect(sorted(idsIn('juros').slice(1))).toEqual(sorted(ids))
  sheets.protectedTabs.clear()
  await drained()
  expect(sorted(idsIn('juros').slice(1))).toEqual(sorted([...ids, ...more]))
})

test.each([
  ['an unknown id', { GOOGLE_SHEETS_ID: 'outra-planilha' }, 'Confira GOOGLE_SHEETS_ID'],
  ['an unreachable Google', { GOOGLE_SHEETS_URL: 'http://127.0.0.1:1' }, 'Não foi possível falar com o Google'],
])('%s is reported with a message', async (_, env, message) => {
  await sign(1)
  const node = aNode({ ...sheets.env, ...env })
  await expect.poll(async () => (await node.state()).lastFailure?.reason, { timeout: 20_000 }).toContain(message)
})

test('a key that Google does not know is reported', async () => {
  await sign(1)
  const file = sheets.env.GOOGLE_SERVICE_ACCOUNT ?? ''
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), private_key }))

  const node = aNode()

  await expect.poll(async () => (await node.state()).lastFailure?.reason).toContain('não aceitou a conta de serviço')
  expect(sheets.counts.write).toBeUndefined()
})

test('three nodes write one at a time', async () => {
  await sheets.close()
  sheets = await startSheetsServer({ folder, answerMs: 50 })
  for (let nodes = 0; nodes < 3; nodes++) aNode()
  const ids: string[] = []
  const writersAfterMore = async () => {
    ids.push(...(await sign(20, 2)))
    return sheets.writers.size
  }

  await expect.poll(writersAfterMore, { timeout: 25_000, interval: 100 }).toBe(3)
  await drained()

  expect(sheets.maxAtOnce).toBe(1)
  expect(sorted(idsIn('juros').slice(1))).toEqual(sorted(ids))
})

test('a write waits until the rate limit of all nodes together has room', async () => {
  await site.rows(
    `insert into planilhas (name, writes) select $1, array_agg(now() - interval '57 seconds') from generate_series(1, 55)`,
    [`google:${sheets.id}`],
  )
  const ids = await sign(2)

  aNode()
  await drained()

  // Older writes are dropped after a minute. If this one had not waited, they would still be counted.
  expect(await site.rows('select cardinality(writes)::int as counted from planilhas')).toEqual([
    { counted: sheets.writes.length },
  ])
  expect(sorted(idsIn('juros').slice(1))).toEqual(sorted(ids))
})

test('a campaign tab with the name of a form tab gets another name', async () => {
  await site.rows(`update campaigns set "sheetTab" = 'voluntarios' where slug = 'juros'`)
  onTestFinished(async () => void (await site.rows(`update campaigns set "sheetTab" = 'juros' where slug = 'juros'`)))
  await post('/api/contacts', aContact())
  const ids = await sign(2)

  aNode()
  await drained()

  expect(sorted(idsIn('voluntarios (assinaturas)').slice(1))).toEqual(sorted(ids))
  expect(idsIn('Voluntarios').length).toBe(2)
})

test('without an account, each tab is a file in the data folder', async () => {
  const ids = await sign(700, 100)
  const node = aNode({})
  await settled()

  const { readFileSync } = await import('node:fs')
  const { readCsv } = await import('#tests/helpers/csv-reader.ts')
  const [head, ...rows] = readCsv(readFileSync(`${folder}/planilhas/juros.csv`, 'utf8'))
  expect(head?.[0]).toBe('ID')
  expect(sorted(rows.map(([id]) => id))).toEqual(sorted(ids))
  expect(await node.state()).toMatchObject({ kind: 'csv', address: `${folder}/planilhas`, waiting: 0, failing: false })
})

test('a last record that another program saved without a line end has one row after more are added', async () => {
  const { readFileSync, truncateSync } = await import('node:fs')
  const file = `${folder}/planilhas/juros.csv`
  const ids = await sign(2)
  aNode({})
  await settled()
  truncateSync(file, readFileSync(file).length - 2)

  ids.push(...(await sign(1)))
  await settled()

  const { readCsv } = await import('#tests/helpers/csv-reader.ts')
  const stored = readCsv(readFileSync(file, 'utf8')).slice(1)
  expect(sorted(stored.map(([id]) => id))).toEqual(sorted(ids))
})

test('a node that stops aborts its call and releases the lease, and the next node checks whether the write was made', async () => {
  await sheets.close()
  sheets = await startSheetsServer({ folder, lateMs: 50 })
  const first = aNode()
  const early = await sign(2)
  await drained()
  sheets.failNext('write', 'late')
  const written = sheets.writes.length
  const late = await sign(3)
  await expect.poll(() => sheets.writes.length, { timeout: 10_000, interval: 10 }).toBe(written + 1)

  await first.stop()
  expect(await site.rows('select "leasedBy" from planilhas')).toEqual([{ leasedBy: null }])
  await expect.poll(() => idsIn('juros').length).toBe(6)
  const next = aNode()
  await drained()

  expect(sorted(idsIn('juros').slice(1))).toEqual(sorted([...early, ...late]))
  expect(await next.state()).toMatchObject({ failing: false, lastFailure: null })
})

test('any text is a text in the sheet', async () => {
  const google = aSpreadsheet()
  const tab = { title: "d'água = prova", columns: ['ID', 'Nome', 'Mensagem'] }
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('=1+1', '+55', '-1', '@x', '\t=1', '＝1', '\u202e=1', ' ', '\n'),
  )

  await fc.assert(
    fc.asyncProperty(fc.uuid(), texts, texts, async (id, nome, mensagem) => {
      sheets.writes.length = 0
      await google.append(tab, [[id, cellOf(nome), cellOf(mensagem)]])
      const row = sheets.tabs.tab(tab.title)?.rows.at(-1) ?? []
      expect(row.map(({ text }) => text)).toEqual([id, cellOf(nome), cellOf(mensagem)])
      expect(row.map(({ kind }) => kind)).toEqual([
        'text',
        ...[nome, mensagem].map((text) => (text ? 'text' : 'empty')),
      ])
    }),
    { numRuns: 200, seed },
  )
})
