import { type Ref, useId, useRef } from 'react'
import { copyOrSelect } from '#web/ui/copy-or-select.ts'
import { useCopied } from '#web/ui/use-copied.ts'
import './copyable.css'

interface CopyableProps {
  label: string
  text: string
  /** Ref of the button. */
  ref?: Ref<HTMLButtonElement>
}

/** A text with a copy button. Where copying is refused, the text is selected instead. */
export function Copyable({ label, text, ref }: CopyableProps) {
  const [copied, markCopied] = useCopied()
  const element = useRef<HTMLElement>(null)
  const name = useId()

  async function copy(): Promise<void> {
    if (await copyOrSelect(text, element.current)) markCopied()
  }

  return (
    <div className="copyable">
      <p className="copyable-name" id={name}>
        {label}
      </p>
      <pre>
        <code ref={element}>{text}</code>
      </pre>
      <button ref={ref} type="button" className="button small" aria-describedby={name} onClick={() => void copy()}>
        {copied ? 'Copiado!' : 'Copiar'}
      </button>
      <span className="hidden" role="status">
        {copied && `${label}: copiado`}
      </span>
    </div>
  )
}
