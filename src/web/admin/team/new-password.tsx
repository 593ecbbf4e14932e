// A new password for a colleague who lost theirs: what it ends is asked first, then it is shown this once.
import { useMutation } from '@tanstack/react-query'
import { type Member, renewPassword } from '#contract/admin/team.ts'
import { callAdmin, sentenceOf } from '#web/admin/api.ts'
import { MadePassword } from '#web/admin/team/made-password.tsx'
import { Confirmation } from '#web/admin/ui/dialog.tsx'
import { showToast } from '#web/admin/ui/toast.ts'

interface NewPasswordProps {
  member: Member
  onRenewed(): void
  onClose(): void
}

const failed = 'Não foi possível fazer a senha nova. Tente de novo.'

export function NewPassword({ member, onRenewed, onClose }: NewPasswordProps) {
  const { id, username, isActive } = member
  const renewing = useMutation({
    mutationFn: () => callAdmin(renewPassword, { params: { id: String(id) } }),
    onSuccess({ message }) {
      onRenewed()
      showToast({ title: 'Pronto', text: message, tone: 'success' })
    },
  })
  if (renewing.data) return <MadePassword username={username} password={renewing.data.password} onClose={onClose} />
  return (
    <Confirmation
      title={`Nova senha de ${username}`}
      question={
        isActive
          ? `Fazemos uma senha nova, que você vê uma única vez e passa à pessoa. A senha de agora deixa de valer, e as sessões de ${username} terminam.`
          : `Fazemos uma senha nova, que você vê uma única vez e passa à pessoa. A senha antiga deixa de valer. A conta continua desativada até ser ativada.`
      }
      action="Fazer senha nova"
      busy={renewing.isPending}
      problem={renewing.isError ? sentenceOf(renewing.error, failed) : ''}
      onConfirm={() => renewing.mutate()}
      onClose={onClose}
    />
  )
}
