// The manifesto in the form: the editor, loaded when it is needed, and the hidden field that holds what it says.
import { lazy, Suspense, useLayoutEffect, useRef, useState } from 'react'
import { campaignLimits } from '#contract/admin/campaigns.ts'
import { labels } from '#web/admin/campaigns/campaign-values.ts'
import { inWords } from '#web/admin/ui/amounts.ts'
import { Failure, Waiting } from '#web/admin/ui/states.tsx'
import type { FieldState } from '#web/forms/field.tsx'

const name = 'manifestoHtml'

const ManifestoEditor = lazy(() =>
  import('#web/admin/campaigns/editor/manifesto-editor.tsx').catch(() => ({ default: EditorMissing })),
)

/** The page around it stays, with everything that was typed there. */
function EditorMissing() {
  return (
    <Failure onRetry={() => location.reload()}>
      O editor não carregou. Salve o que já escreveu e tente de novo: o manifesto continua como estava.
    </Failure>
  )
}

export function ManifestoField({ form }: { form: FieldState }) {
  const hidden = useRef<HTMLInputElement>(null)
  const [start] = useState(form.initial(name))
  const [html, setHtml] = useState(start)
  const error = form.errors[name]

  // By hand and at once: drawn by React, it would be behind what is typed while a reply arrives.
  useLayoutEffect(() => {
    if (!hidden.current) return
    hidden.current.value = start
    // A hidden field cannot be looked at: its editor is, when it is the first that is wrong.
    hidden.current.focus = () => document.getElementById(name)?.focus()
  }, [start])

  function write(text: string): void {
    if (hidden.current?.value === text) return
    setHtml(text)
    if (hidden.current) hidden.current.value = text
    hidden.current?.dispatchEvent(new Event('input', { bubbles: true }))
  }

  return (
    <div className="field">
      <p className="label">
        {labels[name]}
        <span aria-hidden="true"> *</span>
      </p>
      <input ref={hidden} type="hidden" name={name} />
      <Suspense fallback={<Waiting rows={5} />}>
        <ManifestoEditor id={name} label={labels[name]} start={start} error={error} onChange={write} />
      </Suspense>
      <p className="hint" id={`${name}-dica`} data-over={html.length > campaignLimits[name] || undefined}>
        {inWords(html.length)} de {inWords(campaignLimits[name])} caracteres, com a formatação. O que vem colado do
        Word, do Google Docs ou do WhatsApp é limpo na hora.
      </p>
      <p className="error" id={`${name}-erro`}>
        {error}
      </p>
    </div>
  )
}
