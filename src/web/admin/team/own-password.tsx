// Dialog to change the own password. Requires the current one, and ends all other sessions.
import { changePassword } from '#contract/admin/team.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { showToast } from '#web/admin/ui/toast.ts'
import { useAdminForm } from '#web/admin/ui/use-admin-form.ts'
import { FormProblems, TextField } from '#web/forms/fields/field.tsx'

const labels = { current: 'Senha atual', password: 'Nova senha' }

export function OwnPassword({ onChanged, onClose }: { onChanged(): void; onClose(): void }) {
  const form = useAdminForm({
    endpoint: changePassword,
    failed: 'Não foi possível trocar a senha.',
    onSent({ message }) {
      onChanged()
      showToast({ title: 'Pronto', text: message, tone: 'success' })
      onClose()
    },
  })
  const sending = form.step === 'sending'
  return (
    <Dialog title="Trocar minha senha" locked={sending} onClose={onClose}>
      <form {...form.attributes}>
        <FormProblems form={form} labels={labels} />
        <TextField
          form={form}
          name="current"
          label={labels.current}
          type="password"
          autoComplete="current-password"
          required
        />
        <TextField
          form={form}
          name="password"
          label={labels.password}
          hint="Pelo menos 10 caracteres. Os outros navegadores em que você entrou saem."
          type="password"
          autoComplete="new-password"
          required
        />
        <div className="actions">
          <button type="button" className="button" disabled={sending} onClick={onClose}>
            Cancelar
          </button>
          <button type="submit" className="button button-yellow" disabled={sending}>
            {sending ? 'Trocando...' : 'Trocar'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
