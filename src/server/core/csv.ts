// Records of CSV as Excel in Brazil reads them: semicolons, every cell in quotes, and a mark in front that says UTF-8.

export const byteOrderMark = '\uFEFF'

/** Line ends within a cell become plain ones, so that CR LF stands at the end of a record and nowhere else. */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replace(/\r\n?/g, '\n').replaceAll('"', '""')}"`).join(';')}\r\n`
}
