// Login page, with help for the first setup.
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { adminMessages } from '#contract/admin/messages.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import { diagnose, logIn, setUp } from '#contract/admin/session.ts'
import { callAdmin } from '#web/admin/api/client.ts'
import { SecondStep, type StartedLogin } from '#web/admin/login/second-step.tsx'
import type { ReturnLocation } from '#web/admin/session/require-session.tsx'
import { hasExpired, readDevice, startSession, storeDevice, useToken } from '#web/admin/session/session.ts'
import { useTitle } from '#web/admin/ui/page.tsx'
import { site } from '#web/admin/ui/site.ts'
import { SiteLogo } from '#web/admin/ui/site-logo.tsx'
import { useAdminForm } from '#web/admin/ui/use-admin-form.ts'
import { FormProblems, TextField } from '#web/forms/fields/field.tsx'
import './login-page.css'

const { session } = adminMessages
const labels = { username: 'Usuário', password: 'Senha' }

export function LoginPage() {
  useTitle('Entrar')
  const token = useToken()
  const { from = adminPaths.dashboard } = (useLocation().state ?? {}) as ReturnLocation
  // In memory alone: a challenge is half a login.
  const [started, setStarted] = useState<StartedLogin>()
  const [problem, setProblem] = useState('')
  const form = useAdminForm({
    endpoint: logIn,
    failed: session.failed,
    connection: session.connection,
    prepare: (values) => ({ ...values, device: readDevice() }),
    onSent(reply, values) {
      const username = String(values.username)
      if ('challenge' in reply) {
        setProblem('')
        setStarted({ ...reply, username })
        return
      }
      storeDevice(reply.device)
      startSession({ ...reply, username })
    },
  })
  // After an expired session the notice gets the focus, so that screen readers announce why the page changed.
  const expiredNotice = useRef<HTMLParagraphElement>(null)
  useEffect(() => expiredNotice.current?.focus(), [])
  if (token) return <Navigate to={from} replace />

  return (
    <main className="login">
      <header className="login-head">
        <SiteLogo size={48} />
        <h1>Administração</h1>
        <p>{site.movimento}</p>
      </header>
      {started ? (
        <SecondStep
          started={started}
          onBack={(message = '') => {
            setProblem(message)
            setStarted(undefined)
          }}
        />
      ) : (
        <form className="login-card" {...form.attributes}>
          <p role="alert" className="error">
            {problem}
          </p>
          {hasExpired() && (
            <p className="notice" ref={expiredNotice} tabIndex={-1}>
              {session.expired}
            </p>
          )}
          {/* No list of invalid fields: there are only two, and each displays its own error. */}
          <FormProblems form={form} labels={{}} />
          <TextField
            form={form}
            name="username"
            label={labels.username}
            autoComplete="username"
            autoCapitalize="none"
            required
          />
          <TextField
            form={form}
            name="password"
            label={labels.password}
            type="password"
            autoComplete="current-password"
            required
          />
          <button className="button button-yellow" type="submit" disabled={form.step === 'sending'}>
            {form.step === 'sending' ? 'Entrando...' : 'Entrar'}
          </button>
        </form>
      )}
      <LoginHelp />
      <p>
        <a href="/">Voltar ao site</a>
      </p>
    </main>
  )
}

/** Checks whether an administrator account exists, and creates the first one. */
function LoginHelp() {
  const [statusText, setStatusText] = useState('')
  const [accountMissing, setAccountMissing] = useState(false)
  const diagnosis = useMutation({
    mutationFn: () => callAdmin(diagnose),
    onSuccess({ message, adminExists }) {
      setStatusText(message)
      setAccountMissing(!adminExists)
    },
    onError: () => setStatusText(session.diagnosisFailed),
  })
  const settingUp = useMutation({
    mutationFn: () => callAdmin(setUp),
    onSuccess({ message }) {
      setStatusText(message)
      setAccountMissing(false)
    },
    onError: () => setStatusText(session.setUpFailed),
  })
  const busy = diagnosis.isPending || settingUp.isPending
  return (
    <details className="first-aid">
      <summary>Problemas para entrar?</summary>
      <p>
        O primeiro usuário e a senha aparecem no terminal de quem ligou o servidor. Se ainda não há administrador, a
        configuração inicial cria um.
      </p>
      <p>
        Depois de muitas senhas erradas, durante até uma hora a conta só aceita entradas de navegadores em que você já
        entrou. Quem esqueceu a senha pede uma nova a alguém da equipe, e quem perdeu o aplicativo ou as chaves de
        acesso, e também os códigos de recuperação, pede que a verificação em duas etapas seja retirada.
      </p>
      <div className="actions">
        <button className="button small" type="button" disabled={busy} onClick={() => diagnosis.mutate()}>
          Verificar sistema
        </button>
        <button
          className={accountMissing ? 'button small button-yellow' : 'button small'}
          type="button"
          disabled={busy}
          onClick={() => settingUp.mutate()}
        >
          Configuração inicial
        </button>
      </div>
      <p role="status">{statusText}</p>
    </details>
  )
}
