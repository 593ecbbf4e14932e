// The spreadsheet columns of each table. CPF, birth date, address and CEP are never read.
import { type NewsConsent, newsConsents } from '#contract/admin/people.ts'
import { availabilities, genders } from '#contract/applications.ts'
import { cellOf } from '#contract/csv.ts'
import type { Tab } from '#server/adapters/sheets/spreadsheet.ts'
import { e164Of, phoneCellOf } from '#server/core/phone.ts'
import type { Database } from '#server/db/database.ts'
import { lookupJoin } from '#server/db/lookup-join.ts'
import { newsConsentSql } from '#server/db/news-consent.ts'
import type { SheetTable } from '#server/outbox/queue/kinds.ts'

const timeFormat = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'medium',
})

// Text from people is escaped with `cellOf`, which prevents formulas. Our own texts do not need it.
const cells = {
  id: (value: unknown) => String(value),
  time: (value: unknown) => timeFormat.format(value as Date),
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
  ['Data', 'createdAt', 'time'],
]
// Keeps the title of the first version, so that it stays in its column of existing tabs.
const consent: Column = ['Aceita novidades', 'novidades', 'consent']
// Added later: older tabs get these columns after all others.
const e164: Column = ['WhatsApp E.164', 'whatsapp', 'e164']
const confirmed: Column = ['Confirmada', 'confirmadoEm', 'isSet']
const last: Column[] = [consent, e164]
const addedTitles = [e164, confirmed].map(([title]) => title)
const currentTitles = [consent, e164, confirmed].map(([title]) => title)
const contact = (name: string): Column[] => [
  ['Nome', name, 'text'],
  ['E-mail', 'email', 'text'],
  ['WhatsApp', 'whatsapp', 'phone'],
]
const location: Column[] = [
  ['Cidade', 'cidade', 'text'],
  ['Estado', 'estado', 'text'],
]

const tables: Record<SheetTable, Column[]> = {
  peticoes: [
    ...first,
    ['Campanha', 'campanha', 'text'],
    ...contact('nome'),
    ...location,
    ['Redes sociais', 'redesSociais', 'text'],
    ...last,
    confirmed,
  ],
  contacts: [...first, ...contact('name'), ['Tarefas', 'tasks', 'choices'], ...last],
  influenciadores: [
    ...first,
    ...contact('name'),
    ...location,
    ['Redes sociais', 'redesSociais', 'text'],
    ['Tarefas', 'tasks', 'choices'],
    ...last,
  ],
  lideres: [
    ...first,
    ...contact('nome'),
    ...location,
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

export const tableOf = (title: string): SheetTable => formTabs[title.toLowerCase()] ?? 'peticoes'

/** If a campaign is configured with the tab of a form, its signatures get another tab, because their columns differ. */
export function tabOf(title: string, table: SheetTable): Tab {
  const columns = tables[table].map(([heading]) => heading)
  return {
    title: tableOf(title) === table ? title : `${title} (assinaturas)`,
    columns,
    added: columns.filter((heading) => addedTitles.includes(heading)),
    current: columns.filter((heading) => currentTitles.includes(heading)),
  }
}

interface SheetBatch {
  rows: string[][]
  /** How many of the first ids were processed. Ids of erased people have no row. */
  taken: number
}

const maxRows = 500
/** Google accepts two million, including field names and brackets. */
const maxBytes = 1_000_000

/** Reads as many of the first ids as fit into one write. */
export async function readBatch({ query }: Database, table: SheetTable, ids: string[]): Promise<SheetBatch> {
  const columns = tables[table]
  const names = columns.map(([, column]) =>
    column === 'novidades' ? `${newsConsentSql(table)} as novidades` : `"${column}"`,
  )
  const firstIds = ids.slice(0, maxRows)
  const records = await query<Record<string, unknown>>(
    `sheet-rows-${table}`,
    `select ${names.join(', ')} from unnest($1::uuid[]) as given(wanted), ${lookupJoin(table, 'wanted')}`,
    [firstIds],
  )
  const byId = new Map(records.map((record) => [record.id, record]))
  const rows: string[][] = []
  let bytes = 0
  for (const [taken, id] of firstIds.entries()) {
    const record = byId.get(id)
    if (!record) continue
    const row = columns.map(([, column, kind]) => cells[kind](record[column]))
    bytes += Buffer.byteLength(row.join())
    if (bytes > maxBytes) return { rows, taken }
    rows.push(row)
  }
  return { rows, taken: firstIds.length }
}
