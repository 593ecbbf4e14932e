// Resets the password of another administrator: asks first, then displays the new password once.
import { useMutation } from '@tanstack/react-query'
import { type Member, resetMemberPassword } from '#contract/admin/team.ts'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { GeneratedPassword } from '#web/admin/team/generated-password.tsx'
import { Confirmation } from '#web/admin/ui/dialog.tsx'
import { showToast } from '#web/admin/ui/toast.ts'

interface NewPasswordProps {
  member: Member
  onReset(): void
  onClose(): void
}

const failed = 'Não foi possível fazer a senha nova. Tente de novo.'

export function NewPassword({ member, onReset, onClose }: NewPasswordProps) {
  const { id, username, isActive } = member
  const passwordReset = useMutation({
    mutationFn: () => callAdmin(resetMemberPassword, { params: { id: String(id) } }),
    onSuccess({ message }) {
      onReset()
      showToast({ title: 'Pronto', text: message, tone: 'success' })
    },
  })
  if (passwordReset.data)
    return <GeneratedPassword username={username} password={passwordReset.data.password} onClose={onClose} />
  return (
    <Confirmation
      title={`Nova senha de ${username}`}
      question={
        isActive
          ? `Fazemos uma senha nova, que você vê uma única vez e passa à pessoa. A senha de agora deixa de valer, e as sessões de ${username} terminam.`
          : `Fazemos uma senha nova, que você vê uma única vez e passa à pessoa. A senha antiga deixa de valer. A conta continua desativada até ser ativada.`
      }
      action="Fazer senha nova"
      busy={passwordReset.isPending}
      problem={passwordReset.isError ? errorMessage(passwordReset.error, failed) : ''}
      onConfirm={() => passwordReset.mutate()}
      onClose={onClose}
    />
  )
}
