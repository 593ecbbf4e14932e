// Modal dialog: the browser keeps the focus inside, and restores it afterwards.
import { type ReactNode, useEffect, useId, useRef } from 'react'
import './dialog.css'

interface DialogProps {
  title: string
  onClose(): void
  /** As wide as the window allows. */
  wide?: boolean
  /** Only its own buttons close it: Esc would lose its content or a pending result. */
  locked?: boolean | undefined
  describedBy?: string
  children: ReactNode
}

/** Open while it is rendered. */
export function Dialog({ title, onClose, wide, locked, describedBy, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const name = useId()

  useEffect(() => {
    const dialog = element.current
    const opener = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      // The opener may have been replaced by a render. A focus that has just been moved elsewhere stays there.
      const isFocusLost = document.activeElement === document.body
      if (isFocusLost && opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])

  return (
    <dialog
      ref={element}
      className="dialog"
      data-wide={wide || undefined}
      aria-labelledby={name}
      aria-describedby={describedBy}
      closedby={locked ? 'none' : 'closerequest'}
      onCancel={(event) => {
        // A cancelled file chooser inside the dialog fires the same event.
        if (event.target !== element.current) return
        event.preventDefault()
        if (!locked) onClose()
      }}
      onClose={() => {
        // Some browsers close on the second Esc, even if the first was prevented.
        if (element.current && !element.current.open) element.current.showModal()
      }}
    >
      <header>
        <h2 id={name}>{title}</h2>
        <button type="button" className="dialog-close" aria-label="Fechar" disabled={locked} onClick={onClose}>
          ×
        </button>
      </header>
      {children}
    </dialog>
  )
}

interface ConfirmationProps {
  title: string
  question: string
  /** Label of the button, a verb: "Remover". */
  action: string
  /** The action is running and cannot be cancelled, so no control may suggest that. */
  busy: boolean
  /** Error of the last attempt. */
  problem?: string
  onConfirm(): void
  onClose(): void
  /** Information for the decision. */
  children?: ReactNode
}

export function Confirmation(props: ConfirmationProps) {
  const { title, question, action, busy, problem, onConfirm, onClose, children } = props
  return (
    <Dialog title={title} locked={busy} onClose={onClose}>
      <p>{question}</p>
      {children}
      <p role="alert" className="error">
        {problem}
      </p>
      <div className="actions">
        <button type="button" className="button" disabled={busy} onClick={onClose}>
          Cancelar
        </button>
        <button type="button" className="button button-danger" disabled={busy} onClick={onConfirm}>
          {action}
        </button>
      </div>
    </Dialog>
  )
}
