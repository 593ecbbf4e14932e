// The login, and what helps who cannot get in yet.
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { adminMessages } from '#contract/admin/messages.ts'
import { diagnose, logIn, setUp } from '#contract/admin/session.ts'
import { callAdmin } from '#web/admin/api.ts'
import type { CameFrom } from '#web/admin/session/inside.tsx'
import { enter, hasExpired, keepDevice, readDevice, useToken } from '#web/admin/session/session.ts'
import { site } from '#web/admin/site.ts'
import { useTitle } from '#web/admin/ui/page.tsx'
import { useAdminForm } from '#web/admin/ui/use-admin-form.ts'
import { FormProblems, TextField } from '#web/forms/field.tsx'
import { Logo } from '#web/ui/icons.tsx'
import './login-page.css'

const { session } = adminMessages
const labels = { username: 'Usuário', password: 'Senha' }

export function LoginPage() {
  useTitle('Entrar')
  const token = useToken()
  const { from = '/admin/dashboard' } = (useLocation().state ?? {}) as CameFrom
  const form = useAdminForm({
    endpoint: logIn,
    failed: session.failed,
    connection: session.connection,
    prepare: (values) => ({ ...values, device: readDevice() }),
    onSent({ token, device }, { username }) {
      keepDevice(device)
      enter(token, String(username))
    },
  })
  // Who was in the middle of something hears where it went.
  const expired = useRef<HTMLParagraphElement>(null)
  useEffect(() => expired.current?.focus(), [])
  if (token) return <Navigate to={from} replace />

  return (
    <main className="login">
      <header className="login-head">
        <Logo size={48} />
        <h1>Administração</h1>
        <p>{site.movimento}</p>
      </header>
      <form className="login-card" {...form.attributes}>
        {hasExpired() && (
          <p className="notice" ref={expired} tabIndex={-1}>
            {session.expired}
          </p>
        )}
        {/* Two fields need no list of them: each says what is missing in it. */}
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
      <FirstAid />
      <p>
        <a href="/">Voltar ao site</a>
      </p>
    </main>
  )
}

/** Whether there is an account at all, and how the first one is made. */
function FirstAid() {
  const [told, setTold] = useState('')
  const [missing, setMissing] = useState(false)
  const diagnosis = useMutation({
    mutationFn: () => callAdmin(diagnose),
    onSuccess({ message, adminExists }) {
      setTold(message)
      setMissing(!adminExists)
    },
    onError: () => setTold(session.diagnosisFailed),
  })
  const settingUp = useMutation({
    mutationFn: () => callAdmin(setUp),
    onSuccess({ message }) {
      setTold(message)
      setMissing(false)
    },
    onError: () => setTold(session.setUpFailed),
  })
  const busy = diagnosis.isPending || settingUp.isPending
  return (
    <details className="first-aid">
      <summary>Problemas para entrar?</summary>
      <p>
        O primeiro usuário e a senha aparecem no terminal de quem ligou o servidor. Se ainda não há administrador, a
        configuração inicial cria um.
      </p>
      <div className="actions">
        <button className="button small" type="button" disabled={busy} onClick={() => diagnosis.mutate()}>
          Verificar sistema
        </button>
        <button
          className={missing ? 'button small button-yellow' : 'button small'}
          type="button"
          disabled={busy}
          onClick={() => settingUp.mutate()}
        >
          Configuração inicial
        </button>
      </div>
      <p role="status">{told}</p>
    </details>
  )
}
