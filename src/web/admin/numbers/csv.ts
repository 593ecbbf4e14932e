import { byteOrderMark, escapeFormula, plainCsvRecord } from '#contract/csv.ts'

export type Cell = string | number

export function csvOf(titles: string[], rows: Cell[][]): string {
  return byteOrderMark + [titles, ...rows].map((row) => plainCsvRecord(row.map(formatCell))).join('')
}

/** Excel in Brazil reads decimal commas. */
const formatCell = (cell: Cell) => (typeof cell === 'number' ? String(cell).replace('.', ',') : escapeFormula(cell))

export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // By then the browser has started to read the file.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
