// Streams all matching people, newest first, in short steps. Nothing stays open between steps; one step is in memory.
import type { Database } from '#server/db/database.ts'
import type { FullRow } from '#server/features/people/kinds.ts'
import {
  allOf,
  createStatement,
  maxId,
  minId,
  type PeopleQuery,
  type Range,
  rowsOf,
} from '#server/features/people/people-query.ts'
import type { SearchIndex } from '#server/features/people/search-index.ts'

/** Records per step. */
const stepSize = 500

type PeopleStream = (query: PeopleQuery) => AsyncGenerator<FullRow[]>

/** A range of records that are all in the index, or that are read from their table. */
interface Section {
  isIndexed: boolean
  ids: Range
}

export function createPeopleStream(database: Database, index: SearchIndex): PeopleStream {
  async function* readSection(peopleQuery: PeopleQuery, { isIndexed, ids }: Section): AsyncGenerator<FullRow[]> {
    const { kind, query, rowConditions } = peopleQuery
    const source = isIndexed ? `(select id, words from busca_pessoas where kind = '${kind.name}')` : kind.table
    for (let range: Range | undefined = ids; range; ) {
      const boundary = createStatement()
      const [last]: { id: string }[] = await database.query(
        '',
        `select id from ${source} b where ${allOf(boundary.within('id', range))} order by id desc offset ${stepSize - 1} limit 1`,
        boundary.values,
      )
      const s = createStatement()
      const inRange = [...s.within('b.id', range), ...(last ? [`b.id >= ${s.value(last.id)}`] : [])]
      const onRow = rowConditions(s)
      if (query && isIndexed) inRange.push(s.matches('b.words', query))
      else if (query) onRow.push(s.matches(kind.searchVector, query))
      const rows = await database.query<FullRow & object>(
        '',
        `select ${kind.allColumns} from ${rowsOf(kind, `select b.id from ${source} b where ${allOf(inRange)}`)}
        where ${allOf(onRow)} order by p.id desc`,
        s.values,
      )
      yield rows
      range = last && { ...range, below: last.id }
    }
  }

  return async function* streamPeople(peopleQuery) {
    const { kind, query, ids } = peopleQuery
    if (!query) return yield* readSection(peopleQuery, { isIndexed: false, ids })
    const { indexedUpTo } = await index.progress(kind.name)
    yield* readSection(peopleQuery, { isIndexed: false, ids: { ...ids, above: maxId(indexedUpTo, ids.above) } })
    yield* readSection(peopleQuery, { isIndexed: true, ids: { ...ids, below: minId(ids.below, idAfter(indexedUpTo)) } })
  }
}

function idAfter(id: string): string {
  const number = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0')
  return number.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
