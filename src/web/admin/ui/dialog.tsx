// A window over the page: the browser keeps the focus in it and gives it back afterwards.
import { type ReactNode, useEffect, useId, useRef } from 'react'

interface DialogProps {
  title: string
  onClose(): void
  /** As wide as the window allows. */
  wide?: boolean
  /** It would be lost with what it says or waits for: only a button of its own closes it. */
  held?: boolean | undefined
  describedBy?: string
  children: ReactNode
}

/** Shown for as long as it is drawn. */
export function Dialog({ title, onClose, wide, held, describedBy, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const name = useId()

  useEffect(() => {
    const dialog = element.current
    const before = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      // What opened it may be a button that was drawn anew meanwhile. Who was led elsewhere in the same moment stays there.
      const isFree = document.activeElement === document.body
      if (isFree && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])

  return (
    <dialog
      ref={element}
      className="dialog"
      data-wide={wide || undefined}
      aria-labelledby={name}
      aria-describedby={describedBy}
      closedby={held ? 'none' : 'closerequest'}
      onCancel={(event) => {
        // A file chooser that is cancelled inside says the same, and is not meant.
        if (event.target !== element.current) return
        event.preventDefault()
        if (!held) onClose()
      }}
      onClose={() => {
        // Some browsers close at the second Esc, whatever was answered to the first.
        if (element.current && !element.current.open) element.current.showModal()
      }}
    >
      <header>
        <h2 id={name}>{title}</h2>
        <button type="button" className="dialog-close" aria-label="Fechar" disabled={held} onClick={onClose}>
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
  /** It is being done: nobody can call it off any more, so nothing looks as if one could. */
  busy: boolean
  /** Why it did not work. */
  problem?: string
  onConfirm(): void
  onClose(): void
  /** What to know before deciding. */
  children?: ReactNode
}

export function Confirmation(props: ConfirmationProps) {
  const { title, question, action, busy, problem, onConfirm, onClose, children } = props
  return (
    <Dialog title={title} held={busy} onClose={onClose}>
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
