// CSV files as Excel in Brazil reads them, and the protection of cells against formulas.

/** At the start of a file, tells Excel that it is UTF-8. */
export const byteOrderMark = '\uFEFF'

/** One record with all cells in quotes, by which the CSV spreadsheet recognises an incomplete record. */
export const csvRecord = (cells: readonly string[]) => `${cells.map(quoted).join(';')}\r\n`

/** One record with quotes only where a cell needs them. */
export const plainCsvRecord = (cells: readonly string[]) =>
  `${cells.map((cell) => (/[";\r\n]/.test(cell) ? quoted(cell) : cell)).join(';')}\r\n`

/** Line ends within a cell become LF, so that CR LF only occurs at the end of a record. */
const quoted = (cell: string) => `"${cell.replace(/\r\n?/g, '\n').replaceAll('"', '""')}"`

const formula = /^[\s\p{C}]*[=+\-@]/u
const number = /^(?=.*\d)(R?\$ ?)?\(?[\d.,:/\s+e%-]+\)?$/is
const booleanText = /^(true|false|verdadeiro|falso)$/i

/** Social network handles, and words between them. Without brackets and operators, `@` is no function: decision 027. */
const handles = /^@(?=[\p{N}_.]*\p{L})[\p{L}\p{N}_.]+([ ,]+@?[\p{L}\p{N}_.]+)*$/u

/** Programs skip blanks and invisible marks. Some read full-width, small and superscript characters as plain ones. */
const visibleText = (text: string) => text.normalize('NFKC').replace(/\p{C}/gu, '').trim()

const isFormula = (text: string, visible: string) =>
  formula.test(visible) || formula.test(text) || /^[\t\r\n]/.test(text)

/** Escapes formulas only: dates and percentages of our own stay what they are. */
export function escapeFormula(text: string): string {
  return isFormula(text, visibleText(text)) ? `'${text}` : text
}

/**
 * Protects user text: no spreadsheet program may read it as a formula, a number or a date.
 * All texts for spreadsheets and exports must use it.
 */
export function cellOf(text: string): string {
  const visible = visibleText(text)
  if (handles.test(text) && handles.test(visible)) return text
  const needsQuote = isFormula(text, visible) || number.test(visible) || booleanText.test(visible)
  return needsQuote ? `'${text}` : text
}
