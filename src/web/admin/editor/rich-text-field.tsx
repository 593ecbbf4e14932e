// A field with formatted text: the editor, loaded on demand, and a hidden input that holds its HTML.
import { lazy, Suspense, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { formatNumber } from '#web/admin/ui/format-number.ts'
import { Failure, Loading } from '#web/admin/ui/query-boundary.tsx'
import type { FieldState } from '#web/forms/submission/use-submission.ts'
import './rich-text-field.css'

const RichTextEditor = lazy(() =>
  import('#web/admin/editor/rich-text-editor.tsx').catch(() => ({ default: EditorLoadFailure })),
)

/** The rest of the form stays usable, with everything that was typed. */
function EditorLoadFailure() {
  return (
    <Failure onRetry={() => location.reload()}>
      O editor não carregou. Salve o que já escreveu e tente de novo: o texto continua como estava.
    </Failure>
  )
}

interface RichTextFieldProps {
  form: FieldState
  name: string
  label: string
  /** Maximum length of the HTML. */
  limit: number
  required?: boolean
}

export function RichTextField({ form, name, label, limit, required }: RichTextFieldProps) {
  const hidden = useRef<HTMLInputElement>(null)
  const [start] = useState(form.initial(name))
  const [html, setHtml] = useState(start)
  const error = form.errors[name]

  // A hidden input cannot take the focus, so the editor does when it is the first invalid field.
  useLayoutEffect(() => {
    if (hidden.current) hidden.current.focus = () => document.getElementById(name)?.focus()
  }, [name])

  function update(text: string): void {
    if (hidden.current?.value === text) return
    // Rendered at once: the value of the form must not lag behind the typing when a reply arrives.
    flushSync(() => setHtml(text))
    hidden.current?.dispatchEvent(new Event('input', { bubbles: true }))
  }

  return (
    <div className="field">
      <p className="rich-text-label">
        {label}
        {required && <span aria-hidden="true"> *</span>}
      </p>
      <input ref={hidden} type="hidden" name={name} value={html} />
      <Suspense fallback={<Loading rows={5} />}>
        <RichTextEditor id={name} label={label} start={start} error={error} onChange={update} />
      </Suspense>
      <p className="hint" id={`${name}-dica`} data-over={html.length > limit || undefined}>
        {formatNumber(html.length)} de {formatNumber(limit)} caracteres, com a formatação. O que vem colado do Word, do
        Google Docs ou do WhatsApp é limpo na hora.
      </p>
      <p className="error" id={`${name}-erro`}>
        {error}
      </p>
    </div>
  )
}
