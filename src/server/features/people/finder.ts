// Finds whom filters ask for, newest first, among millions. Whatever is committed is found: the newest, which the index does not
// hold yet, are read from their rows.
import { adminMessages } from '#contract/admin/messages.ts'
import { AppError } from '#server/core/errors.ts'
import type { Database } from '#server/db/database.ts'
import {
  type Asked,
  all,
  createStatement,
  higher,
  lower,
  rowsOf,
  type Statement,
} from '#server/features/people/asked.ts'
import type { ListedRow } from '#server/features/people/kinds.ts'
import type { SearchIndex } from '#server/features/people/search-index.ts'

/** Next to which record, and on which side of it. */
export interface Place {
  beside?: string | undefined
  side: 'before' | 'after'
}

export interface Finder {
  /** In the order in which they are met going away from the place. */
  page(asked: Asked, place: Place, most: number): Promise<ListedRow[]>
  /** How many there are, or `most` if there are more. */
  count(asked: Asked, most: number): Promise<number>
}

/** How many are looked at in their order before the index of words is asked: what many have is met at once. */
const glance = 5_000

export function createFinder(database: Database, index: SearchIndex): Finder {
  const read = <Row extends object>(text: string, { values }: Statement) => database.query<Row>('', text, values)

  return {
    async page({ kind, query, isNarrow, ids, onRow }, { beside, side }, most) {
      const { name, table, listed, words } = kind
      const isBefore = side === 'before'
      const range = isBefore
        ? { ...ids, below: lower(beside, ids.below) }
        : { ...ids, above: higher(beside, ids.above) }
      const order = isBefore ? 'desc' : 'asc'
      const fromRows = (s: Statement, more: string[], source = table) =>
        `select ${listed} from ${source} p where ${all([...s.within('p.id', range), ...onRow(s), ...more])} order by p.id ${order} limit ${most}`

      if (!query) {
        const s = createStatement()
        return read(fromRows(s, []), s)
      }

      const { mark, isFarBehind } = await index.reach(name)
      if (isFarBehind) {
        // What many have is among the nearest; whoever is rarer must wait for the index.
        const s = createStatement()
        const isNewest = all([`id > ${s.value(mark)}`, ...s.within('id', range)])
        const nearest = `(select * from ${table} where ${isNewest} order by id ${order} limit ${glance})`
        const rows = await read<ListedRow>(fromRows(s, [s.matches(words, query)], nearest), s)
        if (rows.length === most) return rows
        throw new AppError('unavailable', adminMessages.people.preparing)
      }
      const ofIndex = (s: Statement) => [`tipo = '${name}'`, `id <= ${s.value(mark)}`, ...s.within('id', range)]
      function withNewest(s: Statement, found: string): Promise<ListedRow[]> {
        const newest = fromRows(s, [`p.id > ${s.value(mark)}`, s.matches(words, query)])
        const indexed = `select ${listed} from ${rowsOf(kind, `${found} order by id ${order}`)} where ${all(onRow(s))}
          order by found.id ${order} limit ${most}`
        return read(`select * from ((${newest}) union all (${indexed})) people order by id ${order} limit ${most}`, s)
      }

      if (!isNarrow) {
        const s = createStatement()
        const near = `select id, palavras from busca_pessoas where ${all(ofIndex(s))} order by id ${order} limit ${glance}`
        const rows = await withNewest(s, `select id from (${near}) near where ${s.matches('palavras', query)}`)
        if (rows.length === most) return rows
      }
      const s = createStatement()
      // Kept apart from the order of ids, along which the planner would else go through everybody.
      const matching = `select id from busca_pessoas where ${all([...ofIndex(s), s.matches('palavras', query)])} offset 0`
      return withNewest(s, `select id from (${matching}) matching`)
    },

    async count({ kind, query, ids, onRow }, most) {
      const { name, table, words } = kind
      const s = createStatement()
      const conditions = onRow(s)
      let people = `select 1 from ${table} p where ${all([...s.within('p.id', ids), ...conditions])}`
      if (query) {
        const reach = await index.reach(name)
        if (reach.isFarBehind) throw new AppError('unavailable', adminMessages.people.preparing)
        const mark = s.value(reach.mark)
        const ofIndex = [`tipo = '${name}'`, `id <= ${mark}`, s.matches('palavras', query), ...s.within('id', ids)]
        const found = `select id from busca_pessoas where ${all(ofIndex)}`
        const indexed = conditions.length > 0 ? `select 1 from ${rowsOf(kind, found)} where ${all(conditions)}` : found
        const newest = `${people} and p.id > ${mark} and ${s.matches(words, query)}`
        people = `select 1 from ((${newest}) union all (select 1 from (${indexed}) indexed)) people`
      }
      const [row] = await read<{ n: number }>(`select count(*)::int as n from (${people} limit ${most}) people`, s)
      return row?.n ?? 0
    },
  }
}
