// A piece of code to take away: copied by a button, or selected whole by one click where there are no scripts.
import { useRef } from 'react'
import { copyOrSelect } from '#web/ui/copy-or-select.ts'
import { useAlive } from '#web/ui/use-alive.ts'
import { useCopied } from '#web/ui/use-copied.ts'

interface SnippetProps {
  id: string
  title: string
  text: string
  code: string
}

export function Snippet({ id, title, text, code }: SnippetProps) {
  const alive = useAlive()
  const [copied, markCopied] = useCopied()
  const element = useRef<HTMLElement>(null)

  async function copy(): Promise<void> {
    if (await copyOrSelect(code, element.current)) markCopied()
  }

  return (
    <section className="snippet" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p>{text}</p>
      <pre>
        <code ref={element}>{code}</code>
      </pre>
      {alive && (
        <button className="button button-yellow" type="button" aria-describedby={id} onClick={() => void copy()}>
          {copied ? 'Copiado!' : 'Copiar'}
        </button>
      )}
      <span className="hidden" role="status">
        {copied && 'Código copiado'}
      </span>
    </section>
  )
}
