// Dragging an item of a list past the others, with a mouse or a finger. Who uses neither has the buttons.
import { type PointerEvent, type RefObject, useState } from 'react'
import type { Side } from '#web/admin/contents/order.ts'

interface Drag {
  id: number
  beside?: number
  side?: Side
}

interface DragOptions {
  /** Its children carry their id in `data-id`. */
  list: RefObject<HTMLElement | null>
  onDrop(id: number, beside: number, side: Side): void
}

const edge = 80

export function useDrag({ list, onDrop }: DragOptions) {
  const [drag, setDrag] = useState<Drag>()

  function follow({ clientY }: PointerEvent, { id }: Drag): Drag {
    if (clientY < edge) scrollBy(0, -edge / 4)
    if (clientY > innerHeight - edge) scrollBy(0, edge / 4)
    const items = Array.from(list.current?.children ?? []) as HTMLElement[]
    for (const item of items) {
      const { top, bottom } = item.getBoundingClientRect()
      const isLast = item === items.at(-1)
      if (clientY > bottom && !isLast) continue
      return { id, beside: Number(item.dataset.id), side: clientY < (top + bottom) / 2 ? 'before' : 'after' }
    }
    return { id }
  }

  return {
    /** How the item is to be shown. */
    shown(id: number): 'dragged' | Side | undefined {
      if (drag?.id === id) return 'dragged'
      return drag?.beside === id ? drag.side : undefined
    },
    handle: (id: number) => ({
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0) return
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ id })
      },
      onPointerMove: (event: PointerEvent) => drag && setDrag(follow(event, drag)),
      onPointerUp() {
        if (drag?.beside !== undefined && drag.side) onDrop(drag.id, drag.beside, drag.side)
        setDrag(undefined)
      },
      onPointerCancel: () => setDrag(undefined),
    }),
  }
}
