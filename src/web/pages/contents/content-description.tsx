import { useEffect, useId, useRef, useState } from 'react'

/** Three lines of text. If the text is longer, a button at the end of the third line shows the rest. */
export function ContentDescription({ title, text }: { title: string; text: string }) {
  const id = useId()
  const paragraph = useRef<HTMLParagraphElement>(null)
  const [open, setOpen] = useState(false)
  const [truncated, setTruncated] = useState(false)

  useEffect(() => {
    const element = paragraph.current
    if (!element || open) return
    const observer = new ResizeObserver(() => setTruncated(element.scrollHeight > element.clientHeight + 1))
    observer.observe(element)
    return () => observer.disconnect()
  }, [open])

  return (
    <div className="content-words">
      <p className={open ? undefined : 'content-description'} id={id} ref={paragraph}>
        {text}
      </p>
      {truncated && (
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
