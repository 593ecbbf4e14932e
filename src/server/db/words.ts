// Words that a search finds by their beginnings, however they are written: no accents, no capitals, no signs.
import { type SQL, sql } from 'drizzle-orm'

const accented = 'áàâãäéèêëíìîïóòôõöúùûüçñ'
const plain = 'aaaaaeeeeiiiiooooouuuucn'
// Left in place, the parser would take what is around them for a host or a file.
const signs = '@.-_+/:&?=~#%'

const literal = (text: string) => sql.raw(`'${text}'`)

/** The database's own lower case knows accents on some systems alone. */
function simplified(text: SQL): SQL {
  const from = literal(accented + accented.toUpperCase() + signs)
  const to = literal(plain + plain + ' '.repeat(signs.length))
  return sql`lower(translate(${text}, ${from}, ${to}))`
}

/** What conversations are found by: an index is made over it. */
export const conversationWords = sql`to_tsvector('simple', ${simplified(sql`coalesce(nome, '') || ' ' || coalesce(email, '')`)})`

/** All of the words of a text, each whole. */
export const everyWordOf = (text: string) => sql`plainto_tsquery('simple', ${simplified(sql`${text}::text`)})`

/** All of the words that were typed, each at least begun; nothing when there are none. Parsed as the stored words were: 1e9 is one, 1e9e9 is two. */
export function beginningsOf(typed: string): SQL | undefined {
  const words = typed
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
  return words ? sql`to_tsquery('simple', ${words.map((word) => `${word}:*`).join(' & ')})` : undefined
}
