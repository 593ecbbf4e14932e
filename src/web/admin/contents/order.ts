// Where a content goes when it is moved past another.
export type Side = 'before' | 'after'

/** The same list with one of its items beside another. */
export function placed<Item extends { id: number }>(items: Item[], id: number, beside: number, side: Side): Item[] {
  const moved = items.find((item) => item.id === id)
  if (!moved || id === beside) return items
  const others = items.filter((item) => item.id !== id)
  const at = others.findIndex((item) => item.id === beside) + (side === 'after' ? 1 : 0)
  return [...others.slice(0, at), moved, ...others.slice(at)]
}
