export type Side = 'before' | 'after'

/** Returns the list with one item moved next to another. */
export function moveItem<Item extends { id: number }>(items: Item[], id: number, targetId: number, side: Side): Item[] {
  const moved = items.find((item) => item.id === id)
  if (!moved || id === targetId) return items
  const others = items.filter((item) => item.id !== id)
  const index = others.findIndex((item) => item.id === targetId) + (side === 'after' ? 1 : 0)
  return [...others.slice(0, index), moved, ...others.slice(index)]
}
