// Writes the columns of a kind of people as CSV and as a workbook.
import type { PeopleKind } from '#contract/admin/people.ts'
import { byteOrderMark, csvRecord } from '#contract/csv.ts'
import { type Cell, writeXlsx } from '#server/core/xlsx.ts'
import {
  idColumn,
  type PersonColumn,
  type PersonRow,
  peopleDescriptors,
  textCell,
  timeColumn,
} from '#server/db/people-descriptors.ts'

/** The order of the spreadsheet, but with the name first. Without `cpfOf` the reserved columns are left out. */
export function columnsOf(kind: PeopleKind, cpfOf?: (row: PersonRow) => string | null): PersonColumn[] {
  const columns: PersonColumn[] = [idColumn, timeColumn, ...peopleDescriptors[kind].columns]
  const name = columns.findIndex(({ key }) => key === 'nome')
  const all = [...columns.slice(name), ...columns.slice(0, name)]
  if (!cpfOf) return all.filter(({ isReserved }) => !isReserved)
  return all.map((column) =>
    column.key === 'encryptedCpf' ? { ...column, cell: (_: unknown, row: PersonRow) => cpfOf(row) } : column,
  )
}

interface Sheet {
  title: string
  columns: PersonColumn[]
  batches: AsyncIterable<PersonRow[]>
}

export async function* writeCsv({ columns, batches }: Sheet): AsyncGenerator<Buffer> {
  yield Buffer.from(byteOrderMark + csvRecord(columns.map(({ title }) => title)))
  for await (const rows of batches) {
    if (rows.length > 0)
      yield Buffer.from(rows.map((row) => csvRecord(columns.map((column) => textCell(column, row)))).join(''))
  }
}

export function writeWorkbook({ title, columns, batches }: Sheet): AsyncGenerator<Buffer> {
  async function* rows(): AsyncGenerator<Cell[][]> {
    for await (const batch of batches) yield batch.map((row) => columns.map(({ cell, key }) => cell(row[key], row)))
  }
  return writeXlsx({ title, header: columns.map((column) => column.title), rows: rows() })
}
