// Drag and drop of list items, with a mouse or by touch. Keyboard users have buttons.
import { type PointerEvent, type RefObject, useState } from 'react'
import type { Side } from '#contract/admin/item-order.ts'

interface Drag {
  id: number
  targetId?: number
  side?: Side
}

interface DragOptions {
  /** Its children carry their id in `data-id`. */
  list: RefObject<HTMLElement | null>
  onDrop(id: number, targetId: number, side: Side): void
}

const scrollZonePx = 80

export function useDrag({ list, onDrop }: DragOptions) {
  const [drag, setDrag] = useState<Drag>()

  function trackPointer({ clientY }: PointerEvent, { id }: Drag): Drag {
    if (clientY < scrollZonePx) scrollBy(0, -scrollZonePx / 4)
    if (clientY > innerHeight - scrollZonePx) scrollBy(0, scrollZonePx / 4)
    const items = Array.from(list.current?.children ?? []) as HTMLElement[]
    for (const item of items) {
      const { top, bottom } = item.getBoundingClientRect()
      const isLast = item === items.at(-1)
      if (clientY > bottom && !isLast) continue
      return { id, targetId: Number(item.dataset.id), side: clientY < (top + bottom) / 2 ? 'before' : 'after' }
    }
    return { id }
  }

  return {
    /** How the item is displayed. */
    stateOf(id: number): 'dragged' | Side | undefined {
      if (drag?.id === id) return 'dragged'
      return drag?.targetId === id ? drag.side : undefined
    },
    handle: (id: number) => ({
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0) return
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ id })
      },
      onPointerMove: (event: PointerEvent) => drag && setDrag(trackPointer(event, drag)),
      onPointerUp() {
        if (drag?.targetId !== undefined && drag.side) onDrop(drag.id, drag.targetId, drag.side)
        setDrag(undefined)
      },
      onPointerCancel: () => setDrag(undefined),
    }),
  }
}
