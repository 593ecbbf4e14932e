// Asks for the own password before an action on the own account.
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { useAdminForm } from '#web/admin/ui/use-admin-form.ts'
import { FormProblems, TextField } from '#web/forms/fields/field.tsx'

interface PasswordDialogProps<E extends Endpoint> {
  endpoint: E
  title: string
  explanation: string
  /** Label of the button, a verb. */
  action: string
  onSent(reply: ReplyOf<E>): void
  onClose(): void
}

export function PasswordDialog<E extends Endpoint>(props: PasswordDialogProps<E>) {
  const { endpoint, title, explanation, action, onSent, onClose } = props
  const form = useAdminForm({ endpoint, failed: 'Não foi possível concluir. Tente de novo.', onSent })
  const sending = form.step === 'sending'
  return (
    <Dialog title={title} locked={sending} onClose={onClose}>
      <form {...form.attributes}>
        <p>{explanation}</p>
        <FormProblems form={form} labels={{}} />
        <TextField
          form={form}
          name="ownPassword"
          label="Sua senha"
          type="password"
          autoComplete="current-password"
          required
        />
        <div className="actions">
          <button type="button" className="button" disabled={sending} onClick={onClose}>
            Cancelar
          </button>
          <button type="submit" className="button button-yellow" disabled={sending}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
