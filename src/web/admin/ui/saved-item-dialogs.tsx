// Dialogs of what the team saves under a name: give a name, delete.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { errorMessage } from '#web/admin/api/client.ts'
import { Confirmation, Dialog } from '#web/admin/ui/dialog.tsx'
import '#web/forms/fields/field.css'

interface SavedItemProps<Reply> {
  title: string
  /** The message if no other is known. */
  failure: string
  onDone(reply: Reply): Promise<void>
  onClose(): void
}

interface NameDialogProps<Reply> extends SavedItemProps<Reply> {
  note: string
  label: string
  initial?: string
  maxLength: number
  save(name: string): Promise<Reply>
}

export function NameDialog<Reply>(props: NameDialogProps<Reply>) {
  const { title, failure, note, label, initial, maxLength, save, onDone, onClose } = props
  const id = useId()
  const saving = useMutation({ mutationFn: save, onSuccess: onDone })
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    // React events bubble through portals, to a form that this dialog is opened from.
    event.stopPropagation()
    if (!saving.isPending) saving.mutate(String(new FormData(event.currentTarget).get('nome')))
  }
  const problem = saving.error ? errorMessage(saving.error, failure) : ''
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit} onInput={(event) => event.stopPropagation()} noValidate>
        <p>{note}</p>
        <div className="field">
          <label htmlFor={id}>{label}</label>
          <input
            id={id}
            name="nome"
            defaultValue={initial}
            maxLength={maxLength}
            autoComplete="off"
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? `${id}-error` : undefined}
          />
          <p role="alert" id={`${id}-error`} className="error">
            {problem}
          </p>
        </div>
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Cancelar
          </button>
          <button type="submit" className="button button-yellow" aria-disabled={saving.isPending || undefined}>
            Salvar
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface RemovalDialogProps<Reply> extends SavedItemProps<Reply> {
  question: string
  remove(): Promise<Reply>
}

export function RemovalDialog<Reply>({ title, failure, question, remove, onDone, onClose }: RemovalDialogProps<Reply>) {
  const removing = useMutation({ mutationFn: remove, onSuccess: onDone })
  return (
    <Confirmation
      title={title}
      question={question}
      action="Apagar"
      busy={removing.isPending}
      problem={removing.error ? errorMessage(removing.error, failure) : ''}
      onConfirm={() => removing.mutate()}
      onClose={onClose}
    />
  )
}
