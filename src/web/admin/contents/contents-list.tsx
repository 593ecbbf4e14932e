// The contents in display order. Changed by dragging or with buttons, and announced to screen readers.
import { useEffect, useRef, useState } from 'react'
import type { ManagedContent } from '#contract/admin/contents.ts'
import { moveItem } from '#contract/admin/item-order.ts'
import { ContentItem } from '#web/admin/contents/content-item.tsx'
import { useContentsChanges } from '#web/admin/contents/contents-query.ts'
import { useDrag } from '#web/admin/contents/use-drag.ts'

interface ContentsListProps {
  contents: ManagedContent[]
  /** Whether the content is in the chosen category. */
  isVisible(content: ManagedContent): boolean
  onEdit(content: ManagedContent): void
  onRemove(content: ManagedContent): void
}

export function ContentsList({ contents, isVisible, onEdit, onRemove }: ContentsListProps) {
  const visible = contents.filter(isVisible)
  const list = useRef<HTMLOListElement>(null)
  const pressedButton = useRef('')
  const [announcement, setAnnouncement] = useState('')
  const { show, reorder } = useContentsChanges()

  function move(id: number, next: (current: ManagedContent[]) => ManagedContent[]): void {
    const moved = reorder.move(next).filter(isVisible)
    const index = moved.findIndex((content) => content.id === id)
    setAnnouncement(`${moved[index]?.titulo}: posição ${index + 1} de ${moved.length}`)
  }

  function moveBy(id: number, by: -1 | 1): void {
    pressedButton.current = `mover-${id}-${by}`
    move(id, (current) => {
      const visible = current.filter(isVisible)
      const neighbour = visible[visible.findIndex((content) => content.id === id) + by]
      return neighbour ? moveItem(current, id, neighbour.id, by < 0 ? 'before' : 'after') : current
    })
  }

  const drag = useDrag({
    list,
    onDrop: (id, neighbour, side) => move(id, (current) => moveItem(current, id, neighbour, side)),
  })

  // Browsers drop the focus of an element that is moved in the document.
  useEffect(() => {
    if (contents.length > 0 && pressedButton.current) document.getElementById(pressedButton.current)?.focus()
    pressedButton.current = ''
  }, [contents])

  return (
    <>
      <p className="hidden" role="status">
        {announcement}
      </p>
      <p className="error" role="alert">
        {reorder.problem}
      </p>
      <ol className="managed-list" ref={list}>
        {visible.map((content, index) => (
          <ContentItem
            key={content.id}
            content={content}
            index={index}
            count={visible.length}
            busy={show.isPending && show.variables.id === content.id}
            drag={drag.stateOf(content.id)}
            handle={drag.handle(content.id)}
            onMove={(by) => moveBy(content.id, by)}
            onShow={(isActive) => show.mutate({ id: content.id, isActive })}
            onEdit={() => onEdit(content)}
            onRemove={() => onRemove(content)}
          />
        ))}
      </ol>
    </>
  )
}
