// A table as a file that Excel opens in Brazil: semicolons, decimal commas, a mark for UTF-8.

// A cell that begins so would be taken for a formula.
const formula = /^[\s\p{C}]*[=+\-@＝＋－＠]/u

export type Cell = string | number

export function csvOf(titles: string[], rows: Cell[][]): string {
  return `\uFEFF${[titles, ...rows].map((row) => row.map(write).join(';')).join('\r\n')}\r\n`
}

function write(cell: Cell): string {
  if (typeof cell === 'number') return String(cell).replace('.', ',')
  const safe = formula.test(cell) ? `'${cell}` : cell
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
