// Dialog to change the own password. Requires the current one, and ends all other sessions.
import { PasswordChangeFields, usePasswordChange } from '#web/admin/password/password-change-fields.tsx'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { showToast } from '#web/admin/ui/toast.ts'

export function OwnPassword({ onClose }: { onClose(): void }) {
  const form = usePasswordChange((message) => {
    showToast({ title: 'Pronto', text: message, tone: 'success' })
    onClose()
  })
  const sending = form.step === 'sending'
  return (
    <Dialog title="Trocar minha senha" locked={sending} onClose={onClose}>
      <form {...form.attributes}>
        <PasswordChangeFields
          form={form}
          currentLabel="Senha atual"
          hint="Pelo menos 10 caracteres. Os outros navegadores em que você entrou saem."
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
