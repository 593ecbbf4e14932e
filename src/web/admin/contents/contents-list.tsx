// The contents in the order of the site, which is changed by dragging or with buttons, and said aloud.
import { useEffect, useRef, useState } from 'react'
import type { ManagedContent } from '#contract/admin/contents.ts'
import { ContentItem } from '#web/admin/contents/content-item.tsx'
import { useContentsChanges } from '#web/admin/contents/contents-query.ts'
import { placed } from '#web/admin/contents/order.ts'
import { useDrag } from '#web/admin/contents/use-drag.ts'

interface ContentsListProps {
  contents: ManagedContent[]
  /** Whether it is of the chosen category. */
  isShown(content: ManagedContent): boolean
  onEdit(content: ManagedContent): void
  onRemove(content: ManagedContent): void
}

export function ContentsList({ contents, isShown, onEdit, onRemove }: ContentsListProps) {
  const shown = contents.filter(isShown)
  const list = useRef<HTMLOListElement>(null)
  const pressed = useRef('')
  const [said, setSaid] = useState('')
  const { show, reorder } = useContentsChanges()

  function move(id: number, next: (now: ManagedContent[]) => ManagedContent[]): void {
    const visible = reorder.move(next).filter(isShown)
    const at = visible.findIndex((content) => content.id === id)
    setSaid(`${visible[at]?.titulo}: posição ${at + 1} de ${visible.length}`)
  }

  function step(id: number, by: -1 | 1): void {
    pressed.current = `mover-${id}-${by}`
    move(id, (now) => {
      const visible = now.filter(isShown)
      const beside = visible[visible.findIndex((content) => content.id === id) + by]
      return beside ? placed(now, id, beside.id, by < 0 ? 'before' : 'after') : now
    })
  }

  const drag = useDrag({ list, onDrop: (id, beside, side) => move(id, (now) => placed(now, id, beside, side)) })

  // The browser forgets the focus of what is moved in the page.
  useEffect(() => {
    if (contents.length > 0 && pressed.current) document.getElementById(pressed.current)?.focus()
    pressed.current = ''
  }, [contents])

  return (
    <>
      <p className="hidden" role="status">
        {said}
      </p>
      <p className="error" role="alert">
        {reorder.problem}
      </p>
      <ol className="managed-list" ref={list}>
        {shown.map((content, index) => (
          <ContentItem
            key={content.id}
            content={content}
            index={index}
            count={shown.length}
            busy={show.isPending && show.variables.id === content.id}
            drag={drag.shown(content.id)}
            handle={drag.handle(content.id)}
            onMove={(by) => step(content.id, by)}
            onShow={(isActive) => show.mutate({ id: content.id, isActive })}
            onEdit={() => onEdit(content)}
            onRemove={() => onRemove(content)}
          />
        ))}
      </ol>
    </>
  )
}
