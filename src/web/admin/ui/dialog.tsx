// A window over the page: the browser keeps the focus in it and gives it back afterwards.
import { type ReactNode, useEffect, useId, useRef } from 'react'

interface DialogProps {
  title: string
  onClose(): void
  /** As wide as the window allows. */
  wide?: boolean
  children: ReactNode
}

/** Shown for as long as it is drawn. */
export function Dialog({ title, onClose, wide, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const name = useId()

  useEffect(() => {
    const dialog = element.current
    const before = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      // What opened it may be a button that was drawn anew meanwhile.
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])

  return (
    <dialog
      ref={element}
      className="dialog"
      data-wide={wide || undefined}
      aria-labelledby={name}
      onCancel={(event) => {
        // A file chooser that is cancelled inside says the same, and is not meant.
        if (event.target !== element.current) return
        event.preventDefault()
        onClose()
      }}
    >
      <header>
        <h2 id={name}>{title}</h2>
        <button type="button" className="dialog-close" aria-label="Fechar" onClick={onClose}>
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
  /** The verb on the button: "Remover". */
  action: string
  busy: boolean
  /** Why it did not work. */
  problem?: string
  onConfirm(): void
  onClose(): void
}

export function Confirmation({ title, question, action, busy, problem, onConfirm, onClose }: ConfirmationProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{question}</p>
      <p role="alert" className="error">
        {problem}
      </p>
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          Cancelar
        </button>
        <button type="button" className="button button-danger" disabled={busy} onClick={onConfirm}>
          {action}
        </button>
      </div>
    </Dialog>
  )
}
