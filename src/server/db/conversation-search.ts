import { type SQL, sql } from 'drizzle-orm'
import { foldAccents } from '#contract/fold-text.ts'
import { translation } from '#server/db/accent-folding.ts'

// An index is built on this expression. PostgreSQL uses it only while these characters and their order are the same.
const accented = 'áàâãäéèêëíìîïóòôõöúùûüçñ'
// Replaced by spaces: otherwise the text search parser would read the surrounding text as a host or a file.
const punctuation = '@.-_+/:&?=~#%'

/**
 * Removes accents, capitals and punctuation. Accented capitals are in the table because `lower` of the database
 * converts them only on some systems.
 */
function normalized(text: SQL): SQL {
  const folding = translation(accented + accented.toUpperCase() + punctuation, (character) =>
    punctuation.includes(character) ? ' ' : foldAccents(character),
  )
  return sql`lower(translate(${text}, ${sql.raw(folding)}))`
}

/** The words by which conversations are found. */
export const conversationSearchVector = sql`to_tsvector('simple', ${normalized(sql`coalesce(nome, '') || ' ' || coalesce(email, '')`)})`

/**
 * Matches all words of a search text, each as a prefix. Undefined if there are no words. The words are parsed like the
 * stored ones: 1e9 is one word, 1e9e9 is two.
 */
export function prefixQuery(searchText: string): SQL | undefined {
  const words = foldAccents(searchText).match(/[\p{L}\p{N}]+/gu)
  return words ? sql`to_tsquery('simple', ${words.map((word) => `${word}:*`).join(' & ')})` : undefined
}
