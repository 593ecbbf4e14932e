// Tabs and rows of the spreadsheet. CPF, birth date, address and CEP are never read.
import type { Tab } from '#server/adapters/sheets/spreadsheet.ts'
import type { Database } from '#server/db/database.ts'
import { lookupJoin } from '#server/db/lookup-join.ts'
import {
  allTables,
  formTables,
  idColumn,
  type PersonColumn,
  type PersonRow,
  type PersonTable,
  textCell,
  timeColumn,
} from '#server/db/people-descriptors.ts'

function columnsOf(table: PersonTable): PersonColumn[] {
  const columns: PersonColumn[] = allTables.find((one) => one.table === table)?.columns ?? []
  return [idColumn, timeColumn, ...columns.filter(({ isReserved, sheet }) => !isReserved && sheet !== 'none')]
}

const tableByTab = new Map<string, PersonTable>(
  formTables.map(({ sheetTab, table }) => [sheetTab.toLowerCase(), table]),
)

export const tableOf = (title: string): PersonTable => tableByTab.get(title.toLowerCase()) ?? 'peticoes'

const fixedKeys = new Set<string>([idColumn.key, timeColumn.key])

/** If a campaign is configured with the tab of a form, its signatures get another tab, because their columns differ. */
export function tabOf(title: string, table: PersonTable, { updatesAll = false } = {}): Tab {
  const columns = columnsOf(table)
  const titlesOf = (some: PersonColumn[]) => some.map((column) => column.title)
  return {
    title: tableOf(title) === table ? title : `${title} (assinaturas)`,
    columns: titlesOf(columns),
    added: titlesOf(columns.filter(({ sheet }) => sheet === 'added')),
    current: titlesOf(columns.filter(({ key, sheet }) => (updatesAll ? !fixedKeys.has(key) : sheet))),
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
export async function readBatch({ query }: Database, table: PersonTable, ids: string[]): Promise<SheetBatch> {
  const columns = columnsOf(table)
  const sqlByKey = new Map(columns.map(({ key, sql }) => [key, sql]))
  const values = [...sqlByKey].map(([key, sql]) => `${sql} as "${key}"`)
  const firstIds = ids.slice(0, maxRows)
  const records = await query<PersonRow & object>(
    `sheet-rows-${table}`,
    `select ${values.join(', ')} from unnest($1::uuid[]) as given(wanted), ${lookupJoin(table, 'wanted', 'p')}`,
    [firstIds],
  )
  const byId = new Map(records.map((record) => [record.id, record]))
  const rows: string[][] = []
  let bytes = 0
  for (const [taken, id] of firstIds.entries()) {
    const record = byId.get(id)
    if (!record) continue
    const row = columns.map((column) => textCell(column, record))
    bytes += Buffer.byteLength(row.join())
    if (bytes > maxBytes) return { rows, taken }
    rows.push(row)
  }
  return { rows, taken: firstIds.length }
}
