// Asks for an own password after a login with a generated one. The server refuses everything else until then.
import { useEffect, useRef } from 'react'
import { endCurrentSession } from '#web/admin/api/log-out.ts'
import { PasswordChangeFields, usePasswordChange } from '#web/admin/password/password-change-fields.tsx'
import { currentUser, endPasswordChange } from '#web/admin/session/session.ts'
import { useTitle } from '#web/admin/ui/page.tsx'
import { site } from '#web/admin/ui/site.ts'
import { SiteLogo } from '#web/admin/ui/site-logo.tsx'
import { showToast } from '#web/admin/ui/toast.ts'
import './password-change-page.css'

export function PasswordChangePage() {
  useTitle('Escolha a sua senha')
  const form = usePasswordChange((message) => {
    endPasswordChange()
    showToast({ title: 'Pronto', text: message, tone: 'success' })
  })
  // The page replaces the login or another page, so screen readers must be told.
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const sending = form.step === 'sending'

  return (
    <main className="password-change">
      <header>
        <SiteLogo size={48} />
        <h1 ref={heading} tabIndex={-1}>
          Escolha a sua senha
        </h1>
        <p>{site.movimento}</p>
      </header>
      <form {...form.attributes}>
        <p>
          {currentUser() ? <strong>{currentUser()}</strong> : 'Você'}, a senha com que você entrou foi feita pelo site e
          só serve para o primeiro acesso. Troque-a por uma só sua para continuar.
        </p>
        <PasswordChangeFields
          form={form}
          currentLabel="Senha que você recebeu"
          hint="Pelo menos 10 caracteres. Uma frase de algumas palavras é fácil de lembrar e difícil de adivinhar."
        />
        <button type="submit" className="button button-yellow" disabled={sending}>
          {sending ? 'Salvando...' : 'Salvar e continuar'}
        </button>
      </form>
      <p>
        <button type="button" className="button small" disabled={sending} onClick={endCurrentSession}>
          Sair
        </button>
      </p>
    </main>
  )
}
