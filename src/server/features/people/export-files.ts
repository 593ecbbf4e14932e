// Writes the columns of a kind of people as CSV and as a workbook.
import type { PeopleKind } from '#contract/admin/people.ts'
import { type Workflow, workflowStatuses } from '#contract/admin/people-workflow.ts'
import { byteOrderMark, cellOf, csvRecord } from '#contract/csv.ts'
import { type Cell, writeXlsx } from '#server/core/xlsx.ts'
import {
  idColumn,
  type PersonColumn,
  type PersonRow,
  peopleDescriptors,
  textCell,
  timeColumn,
} from '#server/db/people-descriptors.ts'

/** A record with what the team knows about it. */
export interface ExportedRow extends PersonRow, Workflow {
  notas?: string | undefined
}

interface ExportColumn {
  title: string
  cell(row: ExportedRow): Cell
  /** As text, for CSV. */
  text(row: ExportedRow): string
}

function columnOf(column: PersonColumn): ExportColumn {
  const { title, key, cell } = column
  return { title, cell: (row) => cell(row[key], row), text: (row) => textCell(column, row) }
}

function teamColumn(title: string, cell: (row: ExportedRow) => string): ExportColumn {
  return { title, cell, text: (row) => cellOf(cell(row)) }
}

interface ColumnChoice {
  /** The rows have `reserved`. */
  withReserved?: boolean
  withNotes?: boolean
}

/** The order of the spreadsheet, but with the name first, and the columns of the team at the end. */
export function columnsOf(
  kind: PeopleKind,
  { withReserved = false, withNotes = false }: ColumnChoice = {},
): ExportColumn[] {
  const columns: PersonColumn[] = [idColumn, timeColumn, ...peopleDescriptors[kind].columns]
  const name = columns.findIndex(({ key }) => key === 'nome')
  const all = [...columns.slice(name), ...columns.slice(0, name)]
  return [
    ...all.filter(({ isReserved }) => withReserved || !isReserved).map(columnOf),
    teamColumn('Situação', ({ status }) => workflowStatuses[status]),
    teamColumn('Responsável', ({ responsavel }) => responsavel ?? ''),
    teamColumn('Etiquetas', ({ etiquetas }) => etiquetas.join(', ')),
    ...(withNotes ? [teamColumn('Notas', ({ notas }) => notas ?? '')] : []),
  ]
}

interface Sheet {
  title: string
  columns: ExportColumn[]
  batches: AsyncIterable<ExportedRow[]>
}

export async function* writeCsv({ columns, batches }: Sheet): AsyncGenerator<Buffer> {
  yield Buffer.from(byteOrderMark + csvRecord(columns.map(({ title }) => title)))
  for await (const rows of batches) {
    if (rows.length > 0) yield Buffer.from(rows.map((row) => csvRecord(columns.map(({ text }) => text(row)))).join(''))
  }
}

export function writeWorkbook({ title, columns, batches }: Sheet): AsyncGenerator<Buffer> {
  async function* rows(): AsyncGenerator<Cell[][]> {
    for await (const batch of batches) yield batch.map((row) => columns.map(({ cell }) => cell(row)))
  }
  return writeXlsx({ title, header: columns.map((column) => column.title), rows: rows() })
}
