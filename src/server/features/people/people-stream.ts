// Streams all matching people, newest first, in short steps. Nothing stays open between steps; one step is in memory.
import type { Database } from '#server/db/database.ts'
import type { FullRow } from '#server/features/people/kinds.ts'
import { allOf, hasTermsSql, maxId, minId, type PeopleQuery, rowsOf } from '#server/features/people/people-query.ts'
import type { SearchIndex } from '#server/features/people/search-index.ts'
import { createStatement, type Range, type Statement } from '#server/features/people/statement.ts'
import { hasWorkflowSql } from '#server/features/people/workflow-filter.ts'

/** Records per step. Steps through the workflow are longer, because most of its rows may have other tags. */
const stepSizes = { table: 500, terms: 500, workflow: 2_000 }

type PeopleStream = (query: PeopleQuery) => AsyncGenerator<FullRow[]>

/** A range of ids, and where its records are looked for. Only records up to the mark of the index have terms. */
interface Section {
  source: keyof typeof stepSizes
  ids: Range
}

export function createPeopleStream(database: Database, index: SearchIndex): PeopleStream {
  async function* readSection(peopleQuery: PeopleQuery, { source, ids }: Section): AsyncGenerator<FullRow[]> {
    const { kind, query, workflow, rowConditions } = peopleQuery
    const from = {
      table: () => `${kind.table} b where true`,
      terms: () => `busca_pessoas b where b.kind = '${kind.name}'`,
      workflow: (s: Statement) =>
        `people_workflow b where b.kind = '${kind.name}' and ${allOf(workflow?.indexed(s, 'b') ?? [])}`,
    }[source]
    for (let range: Range | undefined = ids; range; ) {
      const boundary = createStatement()
      const [last]: { id: string }[] = await database.query(
        '',
        `select b.id from ${from(boundary)} and ${allOf(boundary.within('b.id', range))} order by b.id desc offset ${stepSizes[source] - 1} limit 1`,
        boundary.values,
      )
      const s = createStatement()
      const inRange = [...s.within('b.id', range), ...(last ? [`b.id >= ${s.value(last.id)}`] : [])]
      const onRow = rowConditions(s)
      if (source === 'terms') inRange.push(s.matches('b.words', query))
      if (source === 'workflow') inRange.push(...(workflow?.others(s, 'b') ?? []))
      else if (workflow) onRow.push(hasWorkflowSql(kind.name, workflow, s))
      if (source === 'workflow' && query) onRow.push(hasTermsSql(kind.name, query, s))
      if (source === 'table' && query) onRow.push(s.matches(kind.searchVector, query))
      const rows = await database.query<FullRow & object>(
        '',
        `select ${kind.allColumns} from ${rowsOf(kind, `select b.id from ${from(s)} and ${allOf(inRange)}`)}
        where ${allOf(onRow)} order by p.id desc`,
        s.values,
      )
      yield rows
      range = last && { ...range, below: last.id }
    }
  }

  return async function* streamPeople(peopleQuery) {
    const { kind, query, ids, workflow } = peopleQuery
    const source = workflow ? 'workflow' : query ? 'terms' : 'table'
    if (!query) return yield* readSection(peopleQuery, { source, ids })
    const { indexedUpTo } = await index.progress(kind.name)
    yield* readSection(peopleQuery, { source: 'table', ids: { ...ids, above: maxId(indexedUpTo, ids.above) } })
    yield* readSection(peopleQuery, { source, ids: { ...ids, below: minId(ids.below, idAfter(indexedUpTo)) } })
  }
}

function idAfter(id: string): string {
  const number = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0')
  return number.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
