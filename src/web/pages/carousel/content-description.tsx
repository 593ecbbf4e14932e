// What a material says, in three lines; where that is not all, a button over the end of the third shows the rest.
import { useEffect, useId, useRef, useState } from 'react'

export function ContentDescription({ title, text }: { title: string; text: string }) {
  const id = useId()
  const paragraph = useRef<HTMLParagraphElement>(null)
  const [open, setOpen] = useState(false)
  const [cut, setCut] = useState(false)

  useEffect(() => {
    const element = paragraph.current
    if (!element || open) return
    const watcher = new ResizeObserver(() => setCut(element.scrollHeight > element.clientHeight + 1))
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [open])

  return (
    <div className="content-words">
      <p className={open ? undefined : 'content-description'} id={id} ref={paragraph}>
        {text}
      </p>
      {cut && (
        <button
          className="content-more"
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Mostrar menos' : 'Ler tudo'}
          <span className="hidden"> de {title}</span>
        </button>
      )}
    </div>
  )
}
