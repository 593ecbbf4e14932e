import { useRef } from 'react'
import { copyOrSelect } from '#web/ui/copy-or-select.ts'
import { useCopied } from '#web/ui/use-copied.ts'
import { useHydrated } from '#web/ui/use-hydrated.ts'

interface SnippetProps {
  id: string
  title: string
  text: string
  code: string
}

/** Copied by a button. Without scripts one click selects the whole code, by CSS. */
export function Snippet({ id, title, text, code }: SnippetProps) {
  const hydrated = useHydrated()
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
      {hydrated && (
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
