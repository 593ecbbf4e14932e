// Counts people among millions. Only so many candidates are checked: a total that takes longer is a lower bound.
import { adminMessages } from '#contract/admin/messages.ts'
import { AppError } from '#server/core/errors.ts'
import type { Database } from '#server/db/database.ts'
import {
  allOf,
  hasTermsSql,
  indexedIds,
  maxId,
  type PeopleQuery,
  rowsOf,
} from '#server/features/people/people-query.ts'
import type { SearchIndex } from '#server/features/people/search-index.ts'
import { createStatement, type Statement } from '#server/features/people/statement.ts'
import { hasWorkflowSql } from '#server/features/people/workflow-filter.ts'

export interface Total {
  total: number
  /** False if counting stopped early: there are at least `total`. */
  exato: boolean
}

/** Above this, the exact number hardly matters and takes long to count. */
const maxCounted = 10_000

interface CountSource {
  /** Reads the ids of records that may match, or their rows. */
  candidates(s: Statement): string
  hasRows?: true
  /** Conditions on a candidate `p` besides those on its row. */
  others(s: Statement): string[]
  /** How many candidates are checked. More would take too long. */
  maxCandidates: number
}

/** The ways to count matches, the cheapest first. The next one is used if there are too many candidates. */
function countSources(
  { kind: { name, table }, query, ids, workflow }: PeopleQuery,
  indexedUpTo: string | undefined,
): CountSource[] {
  const within = (s: Statement, id: string) => indexedIds(s, id, ids, indexedUpTo)
  const byWorkflow = workflow && {
    candidates: (s: Statement) =>
      `select w.id from people_workflow w where ${allOf([`w.kind = '${name}'`, ...within(s, 'w.id'), ...workflow.indexed(s), ...workflow.others(s)])}`,
    others: (s: Statement) => (query ? [hasTermsSql(name, query, s)] : []),
    maxCandidates: 3_000,
  }
  const byTerms = query
    ? {
        candidates: (s: Statement) =>
          `select b.id from busca_pessoas b where ${allOf([`b.kind = '${name}'`, ...within(s, 'b.id'), s.matches('b.words', query)])}`,
        others: (s: Statement) => (workflow ? [hasWorkflowSql(name, workflow, s)] : []),
        maxCandidates: 3_000,
      }
    : undefined
  if (byWorkflow || byTerms) return [byWorkflow, byTerms].filter((source) => source !== undefined)
  const newest = (s: Statement) => `select p.* from ${table} p where ${allOf(s.within('p.id', ids))} order by p.id desc`
  return [{ candidates: newest, hasRows: true, others: () => [], maxCandidates: 20_000 }]
}

export function createPeopleCount(database: Database, index: SearchIndex) {
  const read = <Row extends object>(text: string, { values }: Statement) => database.query<Row>('', text, values)

  return async (peopleQuery: PeopleQuery): Promise<Total> => {
    const { kind, query, ids, workflow } = peopleQuery
    const { name, table, searchVector } = kind
    const progress = query ? await index.progress(name) : undefined
    if (progress?.isFarBehind) throw new AppError('unavailable', adminMessages.people.preparing)

    async function countNewest(indexedUpTo: string): Promise<number> {
      const s = createStatement()
      const conditions = [
        ...s.within('p.id', { ...ids, above: maxId(indexedUpTo, ids.above) }),
        s.matches(searchVector, query),
        ...peopleQuery.rowConditions(s),
        ...(workflow ? [hasWorkflowSql(name, workflow, s)] : []),
      ]
      const rows = await read<{ n: number }>(
        `select count(*)::int as n from (select from ${table} p where ${allOf(conditions)} limit ${maxCounted + 1}) newest`,
        s,
      )
      return rows[0]?.n ?? 0
    }

    /** Counts among the first candidates of one source. */
    async function countFrom({ candidates, hasRows, others, maxCandidates }: CountSource) {
      const s = createStatement()
      const found = candidates(s)
      const onRow = peopleQuery.rowConditions(s)
      const conditions = [...others(s), ...onRow]
      const limit = conditions.length > 0 ? maxCandidates : maxCounted
      const matches = onRow.length > 0 && !hasRows ? rowsOf(kind, 'select id from candidates') : 'candidates p'
      const rows = await read<{ scanned: number; matching: number }>(
        `with candidates as materialized (${found} limit ${limit + 1})
        select (select count(*) from candidates)::int as scanned,
          (select count(*) from (select from ${matches} where ${allOf(conditions)} limit ${maxCounted + 1}) matching)::int as matching`,
        s,
      )
      const { scanned = 0, matching = 0 } = rows[0] ?? {}
      return { n: matching, isComplete: scanned <= limit }
    }

    const newest = progress ? await countNewest(progress.indexedUpTo) : 0
    let n = newest
    for (const source of countSources(peopleQuery, progress?.indexedUpTo)) {
      const counted = await countFrom(source)
      n = Math.max(n, newest + counted.n)
      if (counted.isComplete) return { total: Math.min(n, maxCounted), exato: n <= maxCounted }
    }
    return { total: Math.min(n, maxCounted), exato: false }
  }
}
