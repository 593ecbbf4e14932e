// Keyset pagination, newest first: a page is found by the row next to it, so deep pages cost no more and new rows move none.

/** The first page, or the one before or after a row. */
export interface Cursors {
  antes?: string | undefined
  depois?: string | undefined
}

/**
 * `read` has one row more than a page holds, if there is one; after a record (`depois`), the nearest comes first. The answer leads to the
 * pages beside it.
 */
export function cursorPage<Row>(
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
