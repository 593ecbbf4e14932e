// Pages of long lists, newest first, found by the record beside them: however far down, a page costs the same, and what arrives moves none.

/** At the beginning of the list, or before or after a record. */
export interface Place {
  antes?: string | undefined
  depois?: string | undefined
}

/**
 * `read` has one row more than a page holds, if there is one; after a record (`depois`), the nearest comes first. The answer leads to the
 * pages beside it.
 */
export function pageBeside<Row>(
  read: Row[],
  { size, isFirst, depois }: { size: number; isFirst: boolean; depois: string | undefined },
  cursorOf: (row: Row) => string,
): { rows: Row[]; antes: string | null; depois: string | null } {
  const hasMore = read.length > size
  const rows = read.slice(0, size)
  if (depois) rows.reverse()
  const [first, last] = [rows[0], rows.at(-1)]
  const hasOlder = depois ? true : hasMore
  const hasNewer = depois ? hasMore : !isFirst
  return {
    rows,
    antes: last && hasOlder ? cursorOf(last) : null,
    depois: first && hasNewer ? cursorOf(first) : null,
  }
}
