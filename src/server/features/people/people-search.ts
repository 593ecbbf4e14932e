// Searches people among millions, newest first. Every committed record is found: the newest records, which the index
// does not contain yet, are read from their table.
import { adminMessages } from '#contract/admin/messages.ts'
import { AppError } from '#server/core/errors.ts'
import type { Database } from '#server/db/database.ts'
import type { ListedRow } from '#server/features/people/kinds.ts'
import {
  allOf,
  hasTermsSql,
  indexedIds,
  maxId,
  minId,
  type PeopleQuery,
  rowsOf,
} from '#server/features/people/people-query.ts'
import type { SearchIndex } from '#server/features/people/search-index.ts'
import { createStatement, type Range, type Statement } from '#server/features/people/statement.ts'
import { hasWorkflowSql } from '#server/features/people/workflow-filter.ts'

/** The record next to the page, and the side of it. */
export interface PageCursor {
  id?: string | undefined
  side: 'before' | 'after'
}

interface PeopleSearch {
  /** The records nearest to the cursor, the nearest first. */
  page(query: PeopleQuery, cursor: PageCursor, limit: number): Promise<ListedRow[]>
}

/** How many records are scanned in id order before the other indexes are used. Frequent terms are found at once. */
const scanSize = 5_000

/** Reads the ids of indexed matches: from the workflow if the filters need a row there, else from the search terms. */
function idSources({ kind: { name }, query, workflow }: PeopleQuery, ids: Range, indexedUpTo: string | undefined) {
  const within = (s: Statement, id: string) => indexedIds(s, id, ids, indexedUpTo)
  const ofTerms = (s: Statement) => [`b.kind = '${name}'`, ...within(s, 'b.id')]
  const ofWorkflow = (s: Statement) => [`w.kind = '${name}'`, ...within(s, 'w.id'), ...(workflow?.indexed(s) ?? [])]
  const hasTerms = (s: Statement) => (query ? [hasTermsSql(name, query, s, 'w.id')] : [])
  return {
    /** Among the records that are nearest in id order. */
    near: (s: Statement, order: string) =>
      workflow
        ? `select id from (select * from people_workflow w where ${allOf(ofWorkflow(s))} order by w.id ${order} limit ${scanSize}) w
          where ${allOf([...workflow.others(s), ...hasTerms(s)])}`
        : `select id from (select id, words from busca_pessoas b where ${allOf(ofTerms(s))} order by id ${order} limit ${scanSize}) near
          where ${s.matches('words', query)}`,
    /** Among all. */
    all: (s: Statement) =>
      workflow
        ? `select w.id from people_workflow w ${query ? `join busca_pessoas b on b.id = w.id and b.kind = '${name}' and ${s.matches('b.words', query)}` : ''}
          where ${allOf([...ofWorkflow(s), ...workflow.others(s)])}`
        : `select id from busca_pessoas b where ${allOf([...ofTerms(s), s.matches('words', query)])}`,
  }
}

export function createPeopleSearch(database: Database, index: SearchIndex): PeopleSearch {
  const read = <Row extends object>(text: string, { values }: Statement) => database.query<Row>('', text, values)

  return {
    async page(peopleQuery, { id, side }, limit) {
      const { kind, query, isNarrow, ids, workflow } = peopleQuery
      const { name, table, listColumns, searchVector } = kind
      const isBefore = side === 'before'
      const range = isBefore ? { ...ids, below: minId(id, ids.below) } : { ...ids, above: maxId(id, ids.above) }
      const order = isBefore ? 'desc' : 'asc'
      /** Conditions on rows that are not found by way of their workflow. */
      const onRow = (s: Statement) => [
        ...peopleQuery.rowConditions(s),
        ...(workflow ? [hasWorkflowSql(name, workflow, s)] : []),
      ]
      const fromRows = (s: Statement, extraConditions: string[], source = table) =>
        `select ${listColumns} from ${source} p where ${allOf([...s.within('p.id', range), ...onRow(s), ...extraConditions])} order by p.id ${order} limit ${limit}`

      if (!query && !workflow) {
        const s = createStatement()
        return read(fromRows(s, []), s)
      }

      const progress = query ? await index.progress(name) : undefined
      if (progress?.isFarBehind) {
        // Frequent matches are among the nearest records. Rare matches must wait for the index.
        const s = createStatement()
        const isNewest = allOf([`id > ${s.value(progress.indexedUpTo)}`, ...s.within('id', range)])
        const nearest = `(select * from ${table} where ${isNewest} order by id ${order} limit ${scanSize})`
        const rows = await read<ListedRow>(fromRows(s, [s.matches(searchVector, query)], nearest), s)
        if (rows.length === limit) return rows
        throw new AppError('unavailable', adminMessages.people.preparing)
      }
      const sources = idSources(peopleQuery, range, progress?.indexedUpTo)
      function withNewest(s: Statement, found: string): Promise<ListedRow[]> {
        const indexed = `select ${listColumns} from ${rowsOf(kind, `select id from (${found}) found order by id ${order}`)}
          where ${allOf(peopleQuery.rowConditions(s))} order by found.id ${order} limit ${limit}`
        if (!progress) return read(indexed, s)
        const newest = fromRows(s, [`p.id > ${s.value(progress.indexedUpTo)}`, s.matches(searchVector, query)])
        return read(`select * from ((${newest}) union all (${indexed})) people order by id ${order} limit ${limit}`, s)
      }

      if (!isNarrow) {
        const s = createStatement()
        const rows = await withNewest(s, sources.near(s, order))
        if (rows.length === limit) return rows
      }
      const s = createStatement()
      // Without `offset 0`, the planner would walk through all records in id order.
      return withNewest(s, `${sources.all(s)} offset 0`)
    },
  }
}
