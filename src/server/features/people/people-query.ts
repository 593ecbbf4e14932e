// Turns filters into conditions on the search terms, on the id (which contains the approximate time), and on the row.
import type { PeopleFilters } from '#contract/admin/people.ts'
import { dayAfter, startOfDay } from '#server/core/brazil-time.ts'
import { hasNewsConsentSql } from '#server/db/news-consent.ts'
import type { Kind } from '#server/features/people/kinds.ts'
import { mailboxTerm, searchQuery } from '#server/features/people/search-terms.ts'

/** Both ends are exclusive. */
export interface Range {
  above?: string | undefined
  below?: string | undefined
}

export interface PeopleQuery {
  kind: Kind
  /** As `tsquery`; empty if the filters need no search terms. */
  query: string
  /** So few records match that scanning the newest first would be useless. */
  isNarrow: boolean
  ids: Range
  /** Conditions on the row `p`. */
  rowConditions(s: Statement): string[]
}

/** Maximum difference between the clock in an id and the clock in `createdAt`. */
const maxClockSkewMs = 60 * 60_000

export function buildQuery(kind: Kind, filters: PeopleFilters): PeopleQuery {
  const { de, ate, confirmada, novidades } = filters
  const since = de && startOfDay(de)
  const until = ate && startOfDay(dayAfter(ate))
  return {
    kind,
    ...searchQuery(kind.name, filters),
    ids: {
      above: since && firstIdAt(since.getTime() - maxClockSkewMs),
      below: until && firstIdAt(until.getTime() + maxClockSkewMs),
    },
    rowConditions: (s) => [
      ...(since ? [`p."createdAt" >= ${s.value(since)}`] : []),
      ...(until ? [`p."createdAt" < ${s.value(until)}`] : []),
      ...(confirmada && kind.isConfirmable
        ? [`p."confirmadoEm" is ${confirmada === 'sim' ? 'not null' : 'null'}`]
        : []),
      ...(novidades ? [hasNewsConsentSql('p', novidades)] : []),
    ],
  }
}

/** Finds all records of one mailbox. */
export function buildMailboxQuery(kind: Kind, canonicalEmail: string): PeopleQuery {
  return { kind, query: mailboxTerm(kind.name, canonicalEmail), isNarrow: true, ids: {}, rowConditions: () => [] }
}

function firstIdAt(ms: number): string {
  const time = Math.max(ms, 0).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

// Ids have one spelling, so comparing them as text is correct.
export const minId = (a?: string, b?: string) => (a && b ? (a < b ? a : b) : (a ?? b))
export const maxId = (a?: string, b?: string) => (a && b ? (a > b ? a : b) : (a ?? b))

/** Collects the values of a statement; each gets the next parameter number. */
export function createStatement() {
  const values: unknown[] = []
  const value = (parameter: unknown) => `$${values.push(parameter)}`
  return {
    values,
    value,
    within: (id: string, { above, below }: Range) => [
      ...(above ? [`${id} > ${value(above)}`] : []),
      ...(below ? [`${id} < ${value(below)}`] : []),
    ],
    matches: (searchVector: string, query: string) => `${searchVector} @@ ${value(query)}::tsquery`,
  }
}
export type Statement = ReturnType<typeof createStatement>

export const allOf = (conditions: string[]) => conditions.join(' and ') || 'true'

/** The rows `p` of the found ids, fetched one by one. For a plain join, the planner could read the whole table. */
export const rowsOf = ({ table }: Kind, found: string) =>
  `(${found}) found cross join lateral (select * from ${table} where id = found.id offset 0) p`
