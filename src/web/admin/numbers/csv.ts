import { byteOrderMark, escapeFormula, plainCsvRecord } from '#contract/csv.ts'
import { download } from '#web/admin/ui/download.ts'

export type Cell = string | number

export function csvOf(titles: string[], rows: Cell[][]): string {
  return byteOrderMark + [titles, ...rows].map((row) => plainCsvRecord(row.map(formatCell))).join('')
}

/** Excel in Brazil reads decimal commas. */
const formatCell = (cell: Cell) => (typeof cell === 'number' ? String(cell).replace('.', ',') : escapeFormula(cell))

export function downloadCsv(name: string, text: string): void {
  download(name, new Blob([text], { type: 'text/csv;charset=utf-8' }))
}
