// What filters ask of a record: of its words, of its id, which tells roughly when it came, and of its row as it is now.
import type { PeopleFilters } from '#contract/admin/people.ts'
import { dayAfter, startOfDay } from '#server/core/brazil-time.ts'
import { hasNewsConsentSql } from '#server/db/news-consent.ts'
import type { Kind } from '#server/features/people/kinds.ts'
import { askedWords, mailboxWord } from '#server/features/people/words.ts'

/** Both ends are left out. */
export interface Range {
  above?: string | undefined
  below?: string | undefined
}

export interface Asked {
  kind: Kind
  /** As `tsquery`; empty when any words do. */
  query: string
  /** So few match that looking at the newest first would be in vain. */
  isNarrow: boolean
  ids: Range
  /** Conditions on the row `p`. */
  onRow(s: Statement): string[]
}

/** How far the clock that made an id may be from the one that dated its row. */
const clocksApartMs = 60 * 60_000

export function ask(kind: Kind, filters: PeopleFilters): Asked {
  const { de, ate, confirmada, novidades } = filters
  const since = de && startOfDay(de)
  const until = ate && startOfDay(dayAfter(ate))
  return {
    kind,
    ...askedWords(kind.name, filters),
    ids: {
      above: since && firstIdAt(since.getTime() - clocksApartMs),
      below: until && firstIdAt(until.getTime() + clocksApartMs),
    },
    onRow: (s) => [
      ...(since ? [`p."createdAt" >= ${s.value(since)}`] : []),
      ...(until ? [`p."createdAt" < ${s.value(until)}`] : []),
      ...(confirmada && kind.isConfirmable
        ? [`p."confirmadoEm" is ${confirmada === 'sim' ? 'not null' : 'null'}`]
        : []),
      ...(novidades ? [hasNewsConsentSql('p', novidades)] : []),
    ],
  }
}

/** All that came from one mailbox. */
export function askForMailbox(kind: Kind, emailCanonico: string): Asked {
  return { kind, query: mailboxWord(kind.name, emailCanonico), isNarrow: true, ids: {}, onRow: () => [] }
}

function firstIdAt(ms: number): string {
  const time = Math.max(ms, 0).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

// Ids of one spelling are in the order of their text.
export const lower = (a?: string, b?: string) => (a && b ? (a < b ? a : b) : (a ?? b))
export const higher = (a?: string, b?: string) => (a && b ? (a > b ? a : b) : (a ?? b))

/** SQL in the making: values are given numbers as they come. */
export function createStatement() {
  const values: unknown[] = []
  const value = (given: unknown) => `$${values.push(given)}`
  return {
    values,
    value,
    within: (id: string, { above, below }: Range) => [
      ...(above ? [`${id} > ${value(above)}`] : []),
      ...(below ? [`${id} < ${value(below)}`] : []),
    ],
    matches: (words: string, query: string) => `${words} @@ ${value(query)}::tsquery`,
  }
}
export type Statement = ReturnType<typeof createStatement>

export const all = (conditions: string[]) => conditions.join(' and ') || 'true'

/** The rows `p` of what was found, one by one: joined as the planner likes, the whole table would be read for a few of it. */
export const rowsOf = ({ table }: Kind, found: string) =>
  `(${found}) found cross join lateral (select * from ${table} where id = found.id offset 0) p`
