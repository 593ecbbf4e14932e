// Searches people among millions, newest first. Every committed record is found: the newest records, which the index
// does not contain yet, are read from their table.
import { adminMessages } from '#contract/admin/messages.ts'
import { AppError } from '#server/core/errors.ts'
import type { Database } from '#server/db/database.ts'
import type { ListedRow } from '#server/features/people/kinds.ts'
import {
  allOf,
  createStatement,
  maxId,
  minId,
  type PeopleQuery,
  rowsOf,
  type Statement,
} from '#server/features/people/people-query.ts'
import type { SearchIndex } from '#server/features/people/search-index.ts'

/** The record next to the page, and the side of it. */
export interface PageCursor {
  id?: string | undefined
  side: 'before' | 'after'
}

interface PeopleSearch {
  /** The records nearest to the cursor, the nearest first. */
  page(query: PeopleQuery, cursor: PageCursor, limit: number): Promise<ListedRow[]>
  /** The number of matches, or `limit` if there are more. */
  count(query: PeopleQuery, limit: number): Promise<number>
}

/** How many records are scanned in id order before the search index is used. Frequent terms are found at once. */
const scanSize = 5_000

export function createPeopleSearch(database: Database, index: SearchIndex): PeopleSearch {
  const read = <Row extends object>(text: string, { values }: Statement) => database.query<Row>('', text, values)

  return {
    async page({ kind, query, isNarrow, ids, rowConditions }, { id, side }, limit) {
      const { name, table, listColumns, searchVector } = kind
      const isBefore = side === 'before'
      const range = isBefore ? { ...ids, below: minId(id, ids.below) } : { ...ids, above: maxId(id, ids.above) }
      const order = isBefore ? 'desc' : 'asc'
      const fromRows = (s: Statement, extraConditions: string[], source = table) =>
        `select ${listColumns} from ${source} p where ${allOf([...s.within('p.id', range), ...rowConditions(s), ...extraConditions])} order by p.id ${order} limit ${limit}`

      if (!query) {
        const s = createStatement()
        return read(fromRows(s, []), s)
      }

      const { indexedUpTo, isFarBehind } = await index.progress(name)
      if (isFarBehind) {
        // Frequent matches are among the nearest records. Rare matches must wait for the index.
        const s = createStatement()
        const isNewest = allOf([`id > ${s.value(indexedUpTo)}`, ...s.within('id', range)])
        const nearest = `(select * from ${table} where ${isNewest} order by id ${order} limit ${scanSize})`
        const rows = await read<ListedRow>(fromRows(s, [s.matches(searchVector, query)], nearest), s)
        if (rows.length === limit) return rows
        throw new AppError('unavailable', adminMessages.people.preparing)
      }
      const ofIndex = (s: Statement) => [`kind = '${name}'`, `id <= ${s.value(indexedUpTo)}`, ...s.within('id', range)]
      function withNewest(s: Statement, found: string): Promise<ListedRow[]> {
        const newest = fromRows(s, [`p.id > ${s.value(indexedUpTo)}`, s.matches(searchVector, query)])
        const indexed = `select ${listColumns} from ${rowsOf(kind, `${found} order by id ${order}`)} where ${allOf(rowConditions(s))}
          order by found.id ${order} limit ${limit}`
        return read(`select * from ((${newest}) union all (${indexed})) people order by id ${order} limit ${limit}`, s)
      }

      if (!isNarrow) {
        const s = createStatement()
        const near = `select id, words from busca_pessoas where ${allOf(ofIndex(s))} order by id ${order} limit ${scanSize}`
        const rows = await withNewest(s, `select id from (${near}) near where ${s.matches('words', query)}`)
        if (rows.length === limit) return rows
      }
      const s = createStatement()
      // Without `offset 0`, the planner would walk through all records in id order.
      const matching = `select id from busca_pessoas where ${allOf([...ofIndex(s), s.matches('words', query)])} offset 0`
      return withNewest(s, `select id from (${matching}) matching`)
    },

    async count({ kind, query, ids, rowConditions }, limit) {
      const { name, table, searchVector } = kind
      const s = createStatement()
      const conditions = rowConditions(s)
      let people = `select 1 from ${table} p where ${allOf([...s.within('p.id', ids), ...conditions])}`
      if (query) {
        const progress = await index.progress(name)
        if (progress.isFarBehind) throw new AppError('unavailable', adminMessages.people.preparing)
        const indexedUpTo = s.value(progress.indexedUpTo)
        const ofIndex = [`kind = '${name}'`, `id <= ${indexedUpTo}`, s.matches('words', query), ...s.within('id', ids)]
        const found = `select id from busca_pessoas where ${allOf(ofIndex)}`
        const indexed =
          conditions.length > 0 ? `select 1 from ${rowsOf(kind, found)} where ${allOf(conditions)}` : found
        const newest = `${people} and p.id > ${indexedUpTo} and ${s.matches(searchVector, query)}`
        people = `select 1 from ((${newest}) union all (select 1 from (${indexed}) indexed)) people`
      }
      const [row] = await read<{ n: number }>(`select count(*)::int as n from (${people} limit ${limit}) people`, s)
      return row?.n ?? 0
    },
  }
}
