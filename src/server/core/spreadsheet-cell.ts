// Text of people for a cell of a spreadsheet: no program that opens it may take it for a formula, a number or a date.
// Everything that leaves for a spreadsheet or an export goes through here, and nowhere else.

// Programs skip blanks and marks that nobody sees before they look for what begins a formula; some take wide and small forms as well.
const formula = /^[\s\p{C}]*[=+\-@＝＋－＠﹦﹢﹣﹫]|^[\t\r\n]/u
const number = /^[\s\p{C}]*(R?\$\s*)?\(?[.,]?\d[\d.,:/\s-]*(e[+-]?\d+)?\s*%?\)?[\s\p{C}]*$/iu
const truth = /^\s*(true|false|verdadeiro|falso)\s*$/i

export function cellOf(text: string): string {
  return formula.test(text) || number.test(text) || truth.test(text) ? `'${text}` : text
}

/** As people write it, which is also a text for every program: digits alone would be a number, and `+55` begins a formula. */
export function phoneCellOf(text: string): string {
  const digits = text.replace(/\D/g, '').replace(/^55(?=\d{10,11}$)/, '')
  const [, area, first, last] = /^(\d\d)(\d{4,5})(\d{4})$/.exec(digits) ?? []
  return area ? `(${area}) ${first}-${last}` : cellOf(text)
}
