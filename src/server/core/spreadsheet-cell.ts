// Text of people for a cell of a spreadsheet: no program that opens it may take it for a formula, a number or a date.
// Everything that leaves for a spreadsheet or an export goes through here, and nowhere else.

const formula = /^[=+\-@]/
const number = /^(?=.*\d)(R?\$ ?)?\(?[\d.,:/\s+e%-]+\)?$/is
const truth = /^(true|false|verdadeiro|falso)$/i

export function cellOf(text: string): string {
  // Programs skip blanks and marks that nobody sees, and some take wide, small and raised characters for the plain ones.
  const seen = text.normalize('NFKC').replace(/\p{C}/gu, '').trim()
  const isTaken = formula.test(seen) || number.test(seen) || truth.test(seen) || /^[\t\r\n]/.test(text)
  return isTaken ? `'${text}` : text
}

/** As people write it, which is also a text for every program: digits alone would be a number, and `+55` begins a formula. */
export function phoneCellOf(text: string): string {
  const digits = text.replace(/\D/g, '').replace(/^55(?=\d{10,11}$)/, '')
  const [, area, first, last] = /^(\d\d)(\d{4,5})(\d{4})$/.exec(digits) ?? []
  return area ? `(${area}) ${first}-${last}` : cellOf(text)
}
