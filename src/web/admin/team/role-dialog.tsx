// Dialog to change the role of an administrator.
import { changeRole, type Member } from '#contract/admin/team.ts'
import { RoleField } from '#web/admin/team/role-field.tsx'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { showToast } from '#web/admin/ui/toast.ts'
import { useAdminForm } from '#web/admin/ui/use-admin-form.ts'
import { FormProblems } from '#web/forms/fields/field.tsx'

interface RoleDialogProps {
  member: Member
  onChanged(): void
  onClose(): void
}

export function RoleDialog({ member: { id, username, role, isMe }, onChanged, onClose }: RoleDialogProps) {
  const form = useAdminForm({
    endpoint: changeRole,
    params: { id: String(id) },
    initial: { role },
    failed: 'Não foi possível mudar o papel.',
    onSent({ message }) {
      showToast({ title: 'Pronto', text: message, tone: 'success' })
      onChanged()
      onClose()
    },
  })
  const sending = form.step === 'sending'
  return (
    <Dialog title={`Papel de ${username}`} locked={sending} onClose={onClose}>
      <form {...form.attributes}>
        <FormProblems form={form} labels={{ role: 'Papel' }} />
        <RoleField form={form} />
        <p>
          {isMe
            ? 'Esta é a sua conta. Sem o papel de coordenação, você perde esta página agora mesmo.'
            : 'Vale na hora, também onde a pessoa está com o site aberto.'}
        </p>
        <div className="actions">
          <button type="button" className="button" disabled={sending} onClick={onClose}>
            Cancelar
          </button>
          <button type="submit" className="button button-yellow" disabled={sending}>
            {sending ? 'Salvando...' : 'Salvar'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
