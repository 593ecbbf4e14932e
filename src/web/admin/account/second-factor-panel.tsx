// Two-step verification of the own account: its state, and what can be done with it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  renewRecoveryCodes,
  type SecondFactor,
  secondFactorMessages,
  turnOffApp,
} from '#contract/admin/second-factor.ts'
import { AppSetup } from '#web/admin/account/app-setup.tsx'
import { PasswordDialog } from '#web/admin/account/password-dialog.tsx'
import { RecoveryCodes } from '#web/admin/account/recovery-codes.tsx'
import { secondFactorQuery } from '#web/admin/account/second-factor-query.ts'
import { pluralize } from '#web/admin/ui/format-number.ts'
import { QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { showToast } from '#web/admin/ui/toast.ts'
import './second-factor.css'

type OpenDialog = 'setup' | 'codes' | 'turn-off'

/** `onReady` is called when the second factor was turned on and its recovery codes were noted down. */
export function SecondFactorPanel({ onReady = () => {} }: { onReady?: () => void }) {
  const queries = useQueryClient()
  const factor = useQuery(secondFactorQuery)
  const [open, setOpen] = useState<OpenDialog>()
  const [codes, setCodes] = useState<string[]>()
  const close = () => setOpen(undefined)
  const refresh = () => void queries.invalidateQueries({ queryKey: secondFactorQuery.queryKey })

  function finish(message: string): void {
    showToast({ title: 'Pronto', text: message, tone: 'success' })
    refresh()
    close()
  }

  return (
    <section className="panel second-factor" aria-labelledby="duas-etapas">
      <h2 id="duas-etapas">Verificação em duas etapas</h2>
      <QueryBoundary query={factor}>{(state) => <State state={state} onOpen={setOpen} />}</QueryBoundary>
      {open === 'setup' && (
        <AppSetup
          onClose={close}
          onTurnedOn={({ message, recoveryCodes }) => {
            setCodes(recoveryCodes)
            finish(message)
          }}
        />
      )}
      {open === 'codes' && (
        <PasswordDialog
          endpoint={renewRecoveryCodes}
          title="Códigos de recuperação novos"
          explanation="Os códigos que você guardou deixam de valer. Os novos aparecem uma única vez."
          action="Fazer códigos novos"
          onClose={close}
          onSent={({ message, recoveryCodes }) => {
            setCodes(recoveryCodes)
            finish(message)
          }}
        />
      )}
      {open === 'turn-off' && (
        <PasswordDialog
          endpoint={turnOffApp}
          title="Desligar a verificação em duas etapas"
          explanation="A entrada volta a pedir só a senha, e os códigos de recuperação deixam de valer."
          action="Desligar"
          onClose={close}
          onSent={({ message }) => finish(message)}
        />
      )}
      {codes && (
        <RecoveryCodes
          codes={codes}
          onClose={() => {
            setCodes(undefined)
            onReady()
          }}
        />
      )}
    </section>
  )
}

function State({ state, onOpen }: { state: SecondFactor; onOpen(dialog: OpenDialog): void }) {
  if (!state.app && !state.isAvailable) return <p className="notice">{secondFactorMessages.unavailable}</p>
  if (!state.app)
    return (
      <>
        <p>
          Com ela, quem descobrir a sua senha ainda não entra: o site pede também um código de 6 números, que um
          aplicativo do seu celular mostra. Servem os gratuitos, como Google Authenticator, Microsoft Authenticator,
          Aegis ou 2FAS.
        </p>
        <div className="actions">
          <button type="button" className="button button-yellow" onClick={() => onOpen('setup')}>
            Ligar
          </button>
        </div>
      </>
    )
  const { recoveryCodes } = state
  return (
    <>
      <p>
        <span className="badge badge-good">Ligada</span> Para entrar, o site pede a senha e o código do aplicativo.
      </p>
      <p className={recoveryCodes < 3 ? 'notice' : 'faint'}>
        {recoveryCodes === 0
          ? 'Você não tem mais códigos de recuperação: faça novos e guarde-os fora do celular.'
          : `Você ainda tem ${pluralize(recoveryCodes, 'código', 'códigos')} de recuperação, para o dia em que o celular faltar.`}
      </p>
      <div className="actions">
        <button type="button" className="button small" onClick={() => onOpen('codes')}>
          Fazer códigos de recuperação novos
        </button>
        <button type="button" className="button small" onClick={() => onOpen('setup')}>
          Trocar de aplicativo
        </button>
        {!state.isRequired && (
          <button type="button" className="button small" onClick={() => onOpen('turn-off')}>
            Desligar
          </button>
        )}
      </div>
    </>
  )
}
