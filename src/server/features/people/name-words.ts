import { foldLatin, foldLatinSql, translation } from '#server/db/accent-folding.ts'

// Joiners are removed (D'Ávila becomes davila). Separators split words (Ana-Maria becomes two).
const separators = ' .,;:/()[]{}<>"_-+*=&|!?#@%$^~\\'
const joiners = "'’‘`´"
const replacementOf = (character: string) =>
  separators.includes(character) ? ' ' : joiners.includes(character) ? '' : character

/** The same result as `nameWords` in SQL. */
export const splitName = (text: string) => [...foldLatin(text)].map(replacementOf).join('').split(' ').filter(Boolean)
export const nameWords = (column: string) =>
  `string_to_array(translate(${foldLatinSql(column)}, ${translation(separators + joiners, replacementOf)}), ' ')`
