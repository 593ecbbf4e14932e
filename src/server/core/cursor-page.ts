/** Without cursors: the first page. Otherwise the page before or after the row of a cursor. */
export interface Cursors {
  antes?: string | undefined
  depois?: string | undefined
}

/**
 * Keyset pagination, newest first: deep pages are as fast as the first, and new rows do not shift pages.
 * `read` has one row more than the page if more rows exist. With `depois`, its order is reversed: nearest first.
 * Returns the cursors of the neighbouring pages.
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
