// Reads CSV as Excel in Brazil does, written apart from the code that writes it: cells by semicolons, quotes doubled within quotes.

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

/** What a spreadsheet program makes of a cell that it was given without a kind, as one is in CSV or in a pasted text. */
export function kindOf(cell: string): 'text' | 'formula' | 'number' | 'truth' {
  // NFKC turns wide and small forms into the plain ones, as some programs do; blanks and invisible marks are skipped by some.
  const looked = cell.normalize('NFKC').replace(/^[\s\p{Cc}\p{Cf}]+/u, '')
  // After an @ a name alone is no call: it takes brackets, operators, quotes or a reference to make one.
  const isCall = /^@/.test(looked) && /[^\p{L}\p{N}_., @]/u.test(looked)
  if (/^[=+-]/.test(looked) || isCall || /^[\t\r\n]/.test(cell)) return 'formula'
  if (/^(true|false|verdadeiro|falso)$/i.test(looked.trim())) return 'truth'
  const brazilian = looked.trim().replaceAll('.', '').replace(',', '.')
  const isDate = /^\d{1,4}[/-]\d{1,2}([/-]\d{1,4})?$|^\d{1,2}:\d\d(:\d\d)?$/.test(looked.trim())
  if (looked.trim() !== '' && (isDate || isNumber(looked.trim()) || isNumber(brazilian))) return 'number'
  return 'text'
}

const isNumber = (text: string) =>
  /\d/.test(text) && /^[\d.,e%+-]+$/i.test(text) && !Number.isNaN(Number(text.replace(/%$/, '')))
