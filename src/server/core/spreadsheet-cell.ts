// Text of people for a cell of a spreadsheet: no program that opens it may take it for a formula, a number or a date.
// Everything that leaves for a spreadsheet or an export goes through here, and nowhere else.

import { formatPhone } from '#server/core/phone.ts'

const formula = /^[=+\-@]/
const number = /^(?=.*\d)(R?\$ ?)?\(?[\d.,:/\s+e%-]+\)?$/is
const truth = /^(true|false|verdadeiro|falso)$/i

/** Profiles of social networks, and words between them. Without brackets and operators an `@` calls no function: decision 027. */
const handles = /^@(?=[\p{N}_.]*\p{L})[\p{L}\p{N}_.]+([ ,]+@?[\p{L}\p{N}_.]+)*$/u

export function cellOf(text: string): string {
  // Programs skip blanks and marks that nobody sees, and some take wide, small and raised characters for the plain ones.
  const seen = text.normalize('NFKC').replace(/\p{C}/gu, '').trim()
  if (handles.test(text) && handles.test(seen)) return text
  const isTaken = formula.test(seen) || number.test(seen) || truth.test(seen) || /^[\t\r\n]/.test(text)
  return isTaken ? `'${text}` : text
}

/** As people write it, which is also a text for every program: digits alone would be a number, and `+55` begins a formula. */
export function phoneCellOf(text: string): string {
  return cellOf(formatPhone(text))
}
