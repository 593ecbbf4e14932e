// What a spreadsheet is told of a record, column by column. CPF, birth date, address and CEP are not even read.
import { type NewsConsent, newsConsents } from '#contract/admin/people.ts'
import { availabilities, genders } from '#contract/applications.ts'
import type { Tab } from '#server/adapters/sheets/spreadsheet.ts'
import { e164Of } from '#server/core/phone.ts'
import { cellOf, phoneCellOf } from '#server/core/spreadsheet-cell.ts'
import type { Database } from '#server/db/database.ts'
import { newsConsentSql } from '#server/db/news-consent.ts'
import { oneByOne } from '#server/db/one-by-one.ts'

export type SheetTable = 'peticoes' | 'contacts' | 'influenciadores' | 'lideres'

const clock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'medium',
})

// What people wrote goes through the guard of cells; what we write ourselves does not need it.
const cells = {
  id: (value: unknown) => String(value),
  moment: (value: unknown) => clock.format(value as Date),
  text: (value: unknown) => cellOf(String(value ?? '')),
  phone: (value: unknown) => phoneCellOf(String(value)),
  choices: (value: unknown) => cellOf((value as string[]).join(', ')),
  availability: (value: unknown) => cellOf((value as string[]).map((key) => labelOf(availabilities, key)).join(', ')),
  gender: (value: unknown) => labelOf(genders, String(value)),
  e164: (value: unknown) => e164Of(String(value)),
  consent: (value: unknown) => newsConsents[value as NewsConsent],
  isSet: (value: unknown) => (value ? 'sim' : 'não'),
}

const labelOf = (labels: Record<string, string>, key: string) => labels[key] ?? cellOf(key)

type Column = [title: string, column: string, kind: keyof typeof cells]

const first: Column[] = [
  ['ID', 'id', 'id'],
  ['Data', 'createdAt', 'moment'],
]
// Under the title that it has had since the first version, so that it stays where people have it.
const consent: Column = ['Aceita novidades', 'novidades', 'consent']
// Came later: tabs that are older get them behind everything else.
const e164: Column = ['WhatsApp E.164', 'whatsapp', 'e164']
const confirmed: Column = ['Confirmada', 'confirmadoEm', 'isSet']
const last: Column[] = [consent, e164]
const addedTitles = [e164, confirmed].map(([title]) => title)
const currentTitles = [consent, e164, confirmed].map(([title]) => title)
const reached = (name: string): Column[] => [
  ['Nome', name, 'text'],
  ['E-mail', 'email', 'text'],
  ['WhatsApp', 'whatsapp', 'phone'],
]
const place: Column[] = [
  ['Cidade', 'cidade', 'text'],
  ['Estado', 'estado', 'text'],
]

const tables: Record<SheetTable, Column[]> = {
  peticoes: [
    ...first,
    ['Campanha', 'campanha', 'text'],
    ...reached('nome'),
    ...place,
    ['Redes sociais', 'redesSociais', 'text'],
    ...last,
    confirmed,
  ],
  contacts: [...first, ...reached('name'), ['Tarefas', 'tasks', 'choices'], ...last],
  influenciadores: [
    ...first,
    ...reached('name'),
    ...place,
    ['Redes sociais', 'redesSociais', 'text'],
    ['Tarefas', 'tasks', 'choices'],
    ...last,
  ],
  lideres: [
    ...first,
    ...reached('nome'),
    ...place,
    ['Gênero', 'genero', 'gender'],
    ['Profissão', 'profissao', 'text'],
    ['Experiência', 'experiencia', 'text'],
    ['Motivação', 'motivacao', 'text'],
    ['Disponibilidade', 'disponibilidade', 'availability'],
    ['Redes sociais', 'redes_sociais', 'text'],
    ...last,
  ],
}

const formTabs: Record<string, SheetTable> = {
  voluntarios: 'contacts',
  influenciadores: 'influenciadores',
  lideres: 'lideres',
}

export const isSheetTable = (name: unknown): name is SheetTable => typeof name === 'string' && name in tables

export const tableOf = (title: string): SheetTable => formTabs[title.toLowerCase()] ?? 'peticoes'

/** A campaign that was given the tab of a form gets one of its own: its columns are others. */
export function tabOf(title: string, table: SheetTable): Tab {
  const columns = tables[table].map(([heading]) => heading)
  return {
    title: tableOf(title) === table ? title : `${title} (assinaturas)`,
    columns,
    added: columns.filter((heading) => addedTitles.includes(heading)),
    current: columns.filter((heading) => currentTitles.includes(heading)),
  }
}

export interface SheetBatch {
  rows: string[][]
  /** How many of the ids it answers for; those of people who were erased have no row. */
  taken: number
}

const mostRows = 500
/** Google takes two million; names of fields and brackets come on top. */
const mostBytes = 1_000_000

/** As many of the first ids as one write may hold. */
export async function readBatch({ query }: Database, table: SheetTable, ids: string[]): Promise<SheetBatch> {
  const columns = tables[table]
  const names = columns.map(([, column]) =>
    column === 'novidades' ? `${newsConsentSql(table)} as novidades` : `"${column}"`,
  )
  const some = ids.slice(0, mostRows)
  const records = await query<Record<string, unknown>>(
    `sheet-rows-${table}`,
    `select ${names.join(', ')} from unnest($1::uuid[]) as given(wanted), ${oneByOne(table, 'wanted')}`,
    [some],
  )
  const byId = new Map(records.map((record) => [record.id, record]))
  const rows: string[][] = []
  let bytes = 0
  for (const [taken, id] of some.entries()) {
    const record = byId.get(id)
    if (!record) continue
    const row = columns.map(([, column, kind]) => cells[kind](record[column]))
    bytes += Buffer.byteLength(row.join())
    if (bytes > mostBytes) return { rows, taken }
    rows.push(row)
  }
  return { rows, taken: some.length }
}
