// The own account: password and two-step verification.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { endOtherSessions } from '#contract/admin/team.ts'
import { OwnPassword } from '#web/admin/account/own-password.tsx'
import { SecondFactorPanel } from '#web/admin/account/second-factor-panel.tsx'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { Confirmation } from '#web/admin/ui/dialog.tsx'
import { EditIcon, LogOutIcon } from '#web/admin/ui/icons.tsx'
import { Page } from '#web/admin/ui/page.tsx'
import { showToast } from '#web/admin/ui/toast.ts'

export function AccountPage() {
  const [changesPassword, setChangesPassword] = useState(false)
  const [endsSessions, setEndsSessions] = useState(false)
  return (
    <Page title="Minha conta" intro="A sua senha, e o que mais o site pede para você entrar.">
      <section className="panel" aria-labelledby="senha">
        <h2 id="senha">Senha e sessões</h2>
        <div className="actions">
          <button type="button" className="button small" onClick={() => setChangesPassword(true)}>
            <EditIcon size={18} />
            Trocar minha senha
          </button>
          <button type="button" className="button small" onClick={() => setEndsSessions(true)}>
            <LogOutIcon size={18} />
            Encerrar minhas outras sessões
          </button>
        </div>
      </section>
      <SecondFactorPanel />
      {endsSessions && <OtherSessions onClose={() => setEndsSessions(false)} />}
      {changesPassword && <OwnPassword onClose={() => setChangesPassword(false)} />}
    </Page>
  )
}

function OtherSessions({ onClose }: { onClose(): void }) {
  const end = useMutation({
    mutationFn: () => callAdmin(endOtherSessions),
    onSuccess({ message }) {
      showToast({ title: 'Pronto', text: message, tone: 'success' })
      onClose()
    },
  })
  return (
    <Confirmation
      title="Encerrar outras sessões"
      question="Você continua aqui e sai de todos os outros navegadores e aparelhos em que entrou."
      action="Encerrar"
      busy={end.isPending}
      problem={end.error ? errorMessage(end.error, 'Não foi possível encerrar as sessões. Tente de novo.') : ''}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    />
  )
}
