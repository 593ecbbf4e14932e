// Two-step verification of the own account: its state, and what can be done with it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { passkeyMessages, removePasskey } from '#contract/admin/passkeys.ts'
import {
  renewRecoveryCodes,
  type SecondFactor,
  secondFactorMessages,
  turnOffApp,
} from '#contract/admin/second-factor.ts'
import { AppSetup } from '#web/admin/account/app-setup.tsx'
import { PasskeySetup } from '#web/admin/account/passkey-setup.tsx'
import { passkeyProblem } from '#web/admin/account/passkeys.ts'
import { PasswordDialog } from '#web/admin/account/password-dialog.tsx'
import { RecoveryCodes } from '#web/admin/account/recovery-codes.tsx'
import { secondFactorQuery } from '#web/admin/account/second-factor-query.ts'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { pluralize } from '#web/admin/ui/format-number.ts'
import { QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { showToast } from '#web/admin/ui/toast.ts'
import './second-factor.css'

type Passkey = SecondFactor['passkeys'][number]
type OpenDialog = 'setup' | 'codes' | 'turn-off' | 'passkey' | { removes: Passkey }

const factorCount = ({ app, passkeys }: SecondFactor) => passkeys.length + Number(app)
export const isFactorOn = (state: SecondFactor | undefined) => state !== undefined && factorCount(state) > 0
/** Where the site requires a second factor, the last one stays. */
const canRemove = (state: SecondFactor) => !state.isRequired || factorCount(state) > 1

/** `onReady` is called when the second factor was turned on and its recovery codes were noted down. */
export function SecondFactorPanel({ onReady = () => {} }: { onReady?: () => void }) {
  const queries = useQueryClient()
  const factor = useQuery(secondFactorQuery)
  const [open, setOpen] = useState<OpenDialog>()
  const [codes, setCodes] = useState<string[]>()
  const close = () => setOpen(undefined)

  function finish({ message, recoveryCodes = [] }: { message: string; recoveryCodes?: string[] }): void {
    showToast({ title: 'Pronto', text: message, tone: 'success' })
    if (recoveryCodes.length > 0) setCodes(recoveryCodes)
    void queries.invalidateQueries({ queryKey: secondFactorQuery.queryKey })
    close()
  }

  const whenRemoved =
    factor.data && factorCount(factor.data) > 1
      ? 'A entrada continua pedindo uma segunda etapa.'
      : 'A entrada volta a pedir só a senha, e os códigos de recuperação deixam de valer.'
  return (
    <section className="panel second-factor" aria-labelledby="duas-etapas">
      <h2 id="duas-etapas">Verificação em duas etapas</h2>
      <QueryBoundary query={factor}>{(state) => <State state={state} onOpen={setOpen} />}</QueryBoundary>
      {open === 'setup' && <AppSetup onClose={close} onTurnedOn={finish} />}
      {open === 'passkey' && <PasskeySetup onClose={close} onAdded={finish} />}
      {open === 'codes' && (
        <PasswordDialog
          endpoint={renewRecoveryCodes}
          title="Códigos de recuperação novos"
          explanation="Os códigos que você guardou deixam de valer. Os novos aparecem uma única vez."
          action="Fazer códigos novos"
          onClose={close}
          onSent={finish}
        />
      )}
      {open === 'turn-off' && (
        <PasswordDialog
          endpoint={turnOffApp}
          title="Desligar o aplicativo de códigos"
          explanation={whenRemoved}
          action="Desligar"
          onClose={close}
          onSent={finish}
        />
      )}
      {typeof open === 'object' && (
        <PasswordDialog
          endpoint={removePasskey}
          params={{ id: String(open.removes.id) }}
          title={`Retirar a chave “${open.removes.name}”`}
          explanation={`${whenRemoved} Depois, apague a chave também no aparelho ou no gerenciador de senhas.`}
          action="Retirar"
          onClose={close}
          onSent={finish}
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

interface PartProps {
  state: SecondFactor
  onOpen(dialog: OpenDialog): void
}

function State({ state, onOpen }: PartProps) {
  return (
    <>
      {isFactorOn(state) ? (
        <p>
          <span className="badge badge-good">Ligada</span> Para entrar, o site pede a senha e uma segunda etapa.
        </p>
      ) : (
        <p>
          <span className="badge badge-muted">Desligada</span> Com ela, quem descobrir a sua senha ainda não entra.
          Escolha uma das formas abaixo, ou as duas.
        </p>
      )}
      <Passkeys state={state} onOpen={onOpen} />
      <App state={state} onOpen={onOpen} />
      {isFactorOn(state) && <Recovery state={state} onOpen={onOpen} />}
    </>
  )
}

function Passkeys({ state, onOpen }: PartProps) {
  const { passkeys, arePasskeysAvailable } = state
  const problem = arePasskeysAvailable ? passkeyProblem() : passkeyMessages.unavailable
  return (
    <>
      <h3>Chaves de acesso</h3>
      <p>
        A forma mais segura: você confirma com a digital, o rosto ou o PIN do celular ou do computador, ou com uma chave
        USB. Um site falso não consegue usá-la.
      </p>
      {passkeys.length > 0 && (
        <ul className="passkeys">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <span>
                <strong>{passkey.name}</strong>
                <span className="faint">
                  Criada em {formatDateTime(passkey.createdAt)}
                  {passkey.lastUsedAt ? `, usada em ${formatDateTime(passkey.lastUsedAt)}` : ', ainda não usada'}
                </span>
              </span>
              {canRemove(state) && (
                <button
                  type="button"
                  className="button small"
                  aria-label={`Retirar a chave ${passkey.name}`}
                  onClick={() => onOpen({ removes: passkey })}
                >
                  Retirar
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {problem ? (
        <p className="notice">{problem}</p>
      ) : (
        <div className="actions">
          <button
            type="button"
            className={isFactorOn(state) ? 'button small' : 'button button-yellow'}
            onClick={() => onOpen('passkey')}
          >
            Adicionar chave de acesso
          </button>
        </div>
      )}
    </>
  )
}

function App({ state, onOpen }: PartProps) {
  const { app, isAvailable } = state
  return (
    <>
      <h3>Aplicativo de códigos</h3>
      <p>
        {app
          ? 'Ligado: o aplicativo do seu celular mostra um código de 6 números.'
          : 'Um aplicativo do seu celular mostra um código de 6 números. Servem os gratuitos, como Google Authenticator, Microsoft Authenticator, Aegis ou 2FAS.'}
      </p>
      {!app && !isAvailable ? (
        <p className="notice">{secondFactorMessages.unavailable}</p>
      ) : (
        <div className="actions">
          <button type="button" className="button small" onClick={() => onOpen('setup')}>
            {app ? 'Trocar de aplicativo' : 'Ligar o aplicativo'}
          </button>
          {app && canRemove(state) && (
            <button type="button" className="button small" onClick={() => onOpen('turn-off')}>
              Desligar
            </button>
          )}
        </div>
      )}
    </>
  )
}

function Recovery({ state: { recoveryCodes }, onOpen }: PartProps) {
  return (
    <>
      <h3>Códigos de recuperação</h3>
      <p className={recoveryCodes < 3 ? 'notice' : 'faint'}>
        {recoveryCodes === 0
          ? 'Você não tem mais códigos de recuperação: faça novos e guarde-os fora do celular.'
          : `Você ainda tem ${pluralize(recoveryCodes, 'código', 'códigos')} de recuperação, para o dia em que o celular ou a chave faltar.`}
      </p>
      <div className="actions">
        <button type="button" className="button small" onClick={() => onOpen('codes')}>
          Fazer códigos de recuperação novos
        </button>
      </div>
    </>
  )
}
