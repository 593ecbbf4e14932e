// Reads everybody whom filters ask for, newest first, in short steps: nothing is held open in between, and no more than a step is in memory.
import type { Database } from '#server/db/database.ts'
import { type Asked, all, createStatement, higher, lower, type Range, rowsOf } from '#server/features/people/asked.ts'
import type { WholeRow } from '#server/features/people/kinds.ts'
import type { SearchIndex } from '#server/features/people/search-index.ts'

/** How many are looked at in one step. */
const stride = 500

export type ReadEverybody = (asked: Asked) => AsyncGenerator<WholeRow[]>

/** A part of the records: those that the index holds, or others. */
interface Stretch {
  isIndexed: boolean
  ids: Range
}

export function createReader(database: Database, index: SearchIndex): ReadEverybody {
  async function* readStretch(asked: Asked, { isIndexed, ids }: Stretch): AsyncGenerator<WholeRow[]> {
    const { kind, query, onRow } = asked
    const source = isIndexed ? `(select id, palavras from busca_pessoas where tipo = '${kind.name}')` : kind.table
    for (let range: Range | undefined = ids; range; ) {
      const ends = createStatement()
      const [last]: { id: string }[] = await database.query(
        '',
        `select id from ${source} b where ${all(ends.within('id', range))} order by id desc offset ${stride - 1} limit 1`,
        ends.values,
      )
      const s = createStatement()
      const here = [...s.within('b.id', range), ...(last ? [`b.id >= ${s.value(last.id)}`] : [])]
      const rowwise = onRow(s)
      if (query && isIndexed) here.push(s.matches('b.palavras', query))
      else if (query) rowwise.push(s.matches(kind.words, query))
      const rows = await database.query<WholeRow & object>(
        '',
        `select ${kind.whole} from ${rowsOf(kind, `select b.id from ${source} b where ${all(here)}`)}
        where ${all(rowwise)} order by p.id desc`,
        s.values,
      )
      yield rows
      range = last && { ...range, below: last.id }
    }
  }

  return async function* everybody(asked) {
    const { kind, query, ids } = asked
    if (!query) return yield* readStretch(asked, { isIndexed: false, ids })
    const { mark } = await index.reach(kind.name)
    yield* readStretch(asked, { isIndexed: false, ids: { ...ids, above: higher(mark, ids.above) } })
    yield* readStretch(asked, { isIndexed: true, ids: { ...ids, below: lower(ids.below, idAfter(mark)) } })
  }
}

function idAfter(id: string): string {
  const number = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0')
  return number.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
