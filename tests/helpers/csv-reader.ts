// Reads CSV as the Brazilian Excel does: semicolons between cells, quotes doubled inside quotes. It shares no code
// with the writer, so that a mistake in the writer is found.

export function readCsv(text: string): string[][] {
  const records: string[][] = []
  let cells: string[] = []
  let cell = ''
  let quoted = false
  for (let at = text.startsWith('\uFEFF') ? 1 : 0; at < text.length; at++) {
    const character = text[at]
    if (quoted) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') {
        cell += '"'
        at += 1
      } else quoted = false
    } else if (character === '"') quoted = true
    else if (character === ';') {
      cells.push(cell)
      cell = ''
    } else if (character === '\n') {
      records.push([...cells, cell])
      cells = []
      cell = ''
    } else if (character !== '\r') cell += character
  }
  if (cell !== '' || cells.length > 0) records.push([...cells, cell])
  return records
}

/** The type that a spreadsheet program gives to an untyped cell, as in CSV or pasted text. */
export function kindOf(cell: string): 'text' | 'formula' | 'number' | 'truth' {
  // Some programs convert wide and small forms to plain characters, as NFKC does, and skip blanks and invisible marks.
  const normalized = cell.normalize('NFKC').replace(/^[\s\p{Cc}\p{Cf}]+/u, '')
  // A name alone after @ is no formula. Brackets, operators, quotes or a reference make it one.
  const isCall = /^@/.test(normalized) && /[^\p{L}\p{N}_., @]/u.test(normalized)
  if (/^[=+-]/.test(normalized) || isCall || /^[\t\r\n]/.test(cell)) return 'formula'
  if (/^(true|false|verdadeiro|falso)$/i.test(normalized.trim())) return 'truth'
  const brazilian = normalized.trim().replaceAll('.', '').replace(',', '.')
  const isDate = /^\d{1,4}[/-]\d{1,2}([/-]\d{1,4})?$|^\d{1,2}:\d\d(:\d\d)?$/.test(normalized.trim())
  if (normalized.trim() !== '' && (isDate || isNumber(normalized.trim()) || isNumber(brazilian))) return 'number'
  return 'text'
}

const isNumber = (text: string) =>
  /\d/.test(text) && /^[\d.,e%+-]+$/i.test(text) && !Number.isNaN(Number(text.replace(/%$/, '')))
