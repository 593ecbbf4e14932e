// Accent folding in SQL. Each character is folded as by `foldAccents`. Which characters are folded depends on the
// search, because its stored index was built with them.
import { foldAccents } from '#contract/fold-text.ts'

/** The last two arguments of `translate`: the characters and their replacements. */
export function translation(characters: string, replacementOf: (character: string) => string): string {
  const pairs = [...characters].map((character) => [character, replacementOf(character)] as const)
  // `translate` deletes characters without a counterpart, so these come last.
  const ordered = [
    ...pairs.filter(([, replacement]) => replacement),
    ...pairs.filter(([, replacement]) => !replacement),
  ]
  const from = ordered.map(([character]) => character).join('')
  const to = ordered.map(([, replacement]) => replacement).join('')
  return [from, to].map((text) => `'${text.replaceAll("'", "''")}'`).join(', ')
}

const charactersBetween = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index))
const accentedBetween = (first: number, last: number) =>
  charactersBetween(first, last)
    .filter((character) => /^[a-z]$/.test(foldAccents(character)))
    .join('')

const latin1 = accentedBetween(0xc0, 0xff)
// Some phones send combining marks separately.
const extended = accentedBetween(0x100, 0x17f) + charactersBetween(0x300, 0x32f).join('')
const folded = new RegExp(`[A-Z${latin1}${extended}]`, 'g')

/** Most texts have no accents, and the cost of `translate` grows with the number of characters. */
const withoutAccents = (text: string, characters: string) =>
  `case when octet_length(${text}) = char_length(${text}) then ${text} else translate(${text}, ${translation(characters, foldAccents)}) end`

/** SQL that folds Latin letters only, and so gives the same result in every installation. */
export const foldLatinSql = (text: string) =>
  `(select lower((${withoutAccents('latin1', extended)}) collate "C") from (select ${withoutAccents(text, latin1)} as latin1 offset 0) folding)`

/** The same result as `foldLatinSql`. */
export const foldLatin = (text: string) => text.replace(folded, (character) => foldAccents(character))
