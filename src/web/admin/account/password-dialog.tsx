// Asks for the own password before an action of the own account.
import { type ReactNode, useEffect } from 'react'
import type { Endpoint, PathParams, ReplyOf } from '#contract/endpoint.ts'
import { currentUser } from '#web/admin/session/session.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { useAdminForm } from '#web/admin/ui/use-admin-form.ts'
import { FormProblems, TextField } from '#web/forms/fields/field.tsx'
import type { FormValues } from '#web/forms/submission/form-values.ts'
import type { FieldState } from '#web/forms/submission/use-submission.ts'

interface PasswordDialogProps<E extends Endpoint> {
  endpoint: E
  params?: PathParams
  title: string
  explanation: string
  /** Label of the button, a verb. */
  action: string
  /** Its label while the request is running. */
  busyAction?: string
  /** Replaces the default request. */
  send?: ((values: FormValues) => Promise<ReplyOf<E>>) | undefined
  /** Fields after the password. */
  fields?(form: FieldState): ReactNode
  onSent(reply: ReplyOf<E>): void
  onRefused?(): void
  onClose(): void
}

export function PasswordDialog<E extends Endpoint>(props: PasswordDialogProps<E>) {
  const { endpoint, params, title, explanation, action, busyAction = action, send, fields } = props
  const { onSent, onRefused, onClose } = props
  const form = useAdminForm({
    endpoint,
    failed: 'Não foi possível concluir. Tente de novo.',
    onSent,
    ...(params && { params }),
    ...(send && { send }),
    ...(onRefused && { onRefused }),
  })
  // The dialog focuses its first button.
  useEffect(() => document.getElementById('ownPassword')?.focus(), [])
  const sending = form.step === 'sending'
  return (
    <Dialog title={title} locked={sending} onClose={onClose}>
      <form {...form.attributes}>
        <p>{explanation}</p>
        {/* Password managers choose the account by it. */}
        <input
          className="hidden"
          type="text"
          name="username"
          value={currentUser()}
          autoComplete="username"
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <FormProblems form={form} labels={{}} />
        <TextField
          form={form}
          name="ownPassword"
          label="Sua senha"
          type="password"
          autoComplete="current-password"
          required
        />
        {fields?.(form)}
        <div className="actions">
          <button type="button" className="button" disabled={sending} onClick={onClose}>
            Cancelar
          </button>
          <button type="submit" className="button button-yellow" disabled={sending}>
            {sending ? busyAction : action}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
