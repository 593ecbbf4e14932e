// Turns filters into conditions on the search terms, on the id (which contains the approximate time), and on the row.
import type { PeopleFilters } from '#contract/admin/people.ts'
import { dayAfter, startOfDay } from '#server/core/brazil-time.ts'
import { hasNewsConsentSql } from '#server/db/news-consent.ts'
import { firstIdAt, maxClockSkewMs } from '#server/db/uuid-v7.ts'
import type { Kind } from '#server/features/people/kinds.ts'
import { mailboxTerm, searchQuery } from '#server/features/people/search-terms.ts'
import type { Range, Statement } from '#server/features/people/statement.ts'
import {
  lacksWorkflowSql,
  type WorkflowCondition,
  workflowConditionOf,
} from '#server/features/people/workflow-filter.ts'

export interface PeopleQuery {
  kind: Kind
  /** As `tsquery`; empty if the filters need no search terms. */
  query: string
  /** So few records match that scanning the newest first would be useless. */
  isNarrow: boolean
  ids: Range
  /** The condition on the row of `people_workflow` that a record must have. Undefined if it needs none. */
  workflow: WorkflowCondition | undefined
  /** Conditions on the row `p`. */
  rowConditions(s: Statement): string[]
}

export function buildQuery(kind: Kind, filters: PeopleFilters, ownerId?: string): PeopleQuery {
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
    workflow: workflowConditionOf({ ...filters, ownerId }),
    rowConditions: (s) => [
      ...lacksWorkflowSql(kind.name, { ...filters, ownerId }),
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
  const query = mailboxTerm(kind.name, canonicalEmail)
  return { kind, query, isNarrow: true, ids: {}, workflow: undefined, rowConditions: () => [] }
}

// Ids have one spelling, so comparing them as text is correct.
export const minId = (a?: string, b?: string) => (a && b ? (a < b ? a : b) : (a ?? b))
export const maxId = (a?: string, b?: string) => (a && b ? (a > b ? a : b) : (a ?? b))

/** Conditions on the ids of records that the search index contains. */
export const indexedIds = (s: Statement, id: string, ids: Range, indexedUpTo: string | undefined) => [
  ...(indexedUpTo ? [`${id} <= ${s.value(indexedUpTo)}`] : []),
  ...s.within(id, ids),
]

export const allOf = (conditions: string[]) => conditions.join(' and ') || 'true'

/** Whether the terms of the record match. `id`: its id in the query. */
export const hasTermsSql = (kind: string, query: string, s: Statement, id = 'p.id') =>
  `exists (select from busca_pessoas b where b.kind = '${kind}' and b.id = ${id} and ${s.matches('b.words', query)})`

/** The rows `p` of the found ids, fetched one by one. For a plain join, the planner could read the whole table. */
export const rowsOf = ({ table }: Kind, found: string) =>
  `(${found}) found cross join lateral (select * from ${table} where id = found.id offset 0) p`
