// The own account: password and two-step verification.
import { useState } from 'react'
import { SecondFactorPanel } from '#web/admin/account/second-factor-panel.tsx'
import { OwnPassword } from '#web/admin/team/own-password.tsx'
import { EditIcon } from '#web/admin/ui/icons.tsx'
import { Page } from '#web/admin/ui/page.tsx'

export function AccountPage() {
  const [changesPassword, setChangesPassword] = useState(false)
  return (
    <Page title="Minha conta" intro="A sua senha, e o que mais o site pede para você entrar.">
      <section className="panel" aria-labelledby="senha">
        <h2 id="senha">Senha</h2>
        <div className="actions">
          <button type="button" className="button small" onClick={() => setChangesPassword(true)}>
            <EditIcon size={18} />
            Trocar minha senha
          </button>
        </div>
      </section>
      <SecondFactorPanel />
      {changesPassword && <OwnPassword onChanged={() => {}} onClose={() => setChangesPassword(false)} />}
    </Page>
  )
}
