// Texts without what does not matter to a search: accents, case, the signs between words. In SQL and here by one table, not by the
// database's own rules, which differ from one installation to the next.

// Letters with marks, and without; marks that stand alone, as some phones send them, are left out.
const marked = Array.from({ length: 0x180 - 0xc0 }, (_, index) => String.fromCharCode(0xc0 + index)).flatMap((sign) => {
  const plain = sign.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return /^[a-z]$/.test(plain) && sign.normalize('NFD').length > 1 ? [[sign, plain] as const] : []
})
const combining = Array.from({ length: 0x30 }, (_, index) => String.fromCharCode(0x300 + index))
const plainOf = new Map([...marked, ...combining.map((sign) => [sign, ''] as const)])

/** As the database folds it with `folded`. */
export const fold = (text: string) =>
  [...text]
    .map((sign) => plainOf.get(sign) ?? sign)
    .join('')
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())

const isPlain = (text: string) => `octet_length(${text}) = char_length(${text})`
/** Letters of a range without their marks; most texts have none, and the time it takes follows from the length of the range. */
function unmarked(text: string, [first, last]: [number, number]): string {
  const range = [...plainOf].filter(([sign]) => sign.charCodeAt(0) >= first && sign.charCodeAt(0) <= last)
  // What has no counterpart is left out, and stands at the end.
  const signs = [...range.filter(([, plain]) => plain), ...range.filter(([, plain]) => !plain)]
  const [from, to] = [signs.map(([sign]) => sign).join(''), signs.map(([, plain]) => plain).join('')]
  return `case when ${isPlain(text)} then ${text} else translate(${text}, '${from}', '${to}') end`
}
const folded = (text: string) =>
  `(select lower((${unmarked('portuguese', [0x100, 0x33f])}) collate "C") from (select ${unmarked(text, [0xc0, 0xff])} as portuguese offset 0) folding)`

// D'Ávila is found as davila; Ana-Maria as two words.
const separators = ' .,;:/()[]{}<>"_-+*=&|!?#@%$^~\\'
const joiners = "'’‘`´"
const isSeparator = new Set(separators)

/** As the database splits it with `nameWords`. */
export const splitName = (text: string) =>
  [...fold(text)]
    .map((sign) => (isSeparator.has(sign) ? ' ' : joiners.includes(sign) ? '' : sign))
    .join('')
    .split(' ')
    .filter(Boolean)
export const nameWords = (column: string) =>
  `string_to_array(translate(${folded(column)}, '${(separators + joiners).replaceAll("'", "''")}', '${' '.repeat(separators.length)}'), ' ')`
