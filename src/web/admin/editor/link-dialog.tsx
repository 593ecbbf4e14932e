// Dialog to insert or change a link. Asks for the link text if nothing is selected.
import type { Editor } from '@tiptap/react'
import { useState } from 'react'
import { isLink } from '#web/admin/editor/extensions.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'

interface LinkDialogProps {
  editor: Editor
  onClose(): void
}

const wrongAddress = 'Use um endereço que comece com https:// ou mailto:'

/** Completes addresses without a scheme, such as `example.org` and `fulano@example.org`. */
function completeAddress(typed: string): string {
  const address = typed.trim()
  if (/^[^\s@/:]+@[^\s@]+\.[^\s@]+$/.test(address)) return `mailto:${address}`
  return /^[\w-]+(\.[\w-]+)+([/?#]|$)/.test(address) ? `https://${address}` : address.replace(/^http:/i, 'https:')
}

export function LinkDialog({ editor, onClose }: LinkDialogProps) {
  const [address, setAddress] = useState(String(editor.getAttributes('link').href ?? ''))
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')
  const isNew = !editor.isActive('link')
  const needsText = isNew && editor.state.selection.empty

  function applyLink(): void {
    const href = completeAddress(address)
    if (!isLink(href)) {
      setProblem(wrongAddress)
      return
    }
    onClose()
    const chain = editor.chain().focus()
    if (!needsText) chain.extendMarkRange('link').setLink({ href }).run()
    else
      chain.insertContent({ type: 'text', text: text.trim() || href, marks: [{ type: 'link', attrs: { href } }] }).run()
  }

  return (
    <Dialog title={isNew ? 'Pôr um link' : 'Mudar o link'} onClose={onClose}>
      <form
        noValidate
        onInput={(event) => event.stopPropagation()}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          applyLink()
        }}
      >
        <div className="field">
          <label htmlFor="link-endereco">Endereço</label>
          <input
            id="link-endereco"
            type="url"
            inputMode="url"
            autoComplete="off"
            value={address}
            placeholder="https://example.org"
            aria-invalid={problem ? true : undefined}
            aria-describedby="link-erro"
            onChange={(event) => setAddress(event.target.value)}
          />
          <p className="error" id="link-erro" role="alert">
            {problem}
          </p>
        </div>
        {needsText && (
          <div className="field">
            <label htmlFor="link-texto">Texto que aparece</label>
            <input id="link-texto" value={text} onChange={(event) => setText(event.target.value)} />
          </div>
        )}
        <div className="actions">
          {!isNew && (
            <button
              type="button"
              className="button"
              onClick={() => {
                onClose()
                editor.chain().focus().extendMarkRange('link').unsetLink().run()
              }}
            >
              Tirar o link
            </button>
          )}
          <button type="submit" className="button button-yellow">
            {isNew ? 'Pôr o link' : 'Mudar'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
