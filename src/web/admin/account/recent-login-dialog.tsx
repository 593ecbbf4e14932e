// Asks for the password again before sensitive calls. The refused call is repeated afterwards.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { confirmIdentity } from '#contract/admin/team.ts'
import { secondFactorQuery } from '#web/admin/account/second-factor-query.ts'
import { answerRecentLogin, isRecentLoginAsked, onRecentLoginChange } from '#web/admin/api/recent-login.ts'
import { currentUser } from '#web/admin/session/session.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { useAdminForm } from '#web/admin/ui/use-admin-form.ts'
import { FormProblems, TextField } from '#web/forms/fields/field.tsx'

export function RecentLoginDialog() {
  return useSyncExternalStore(onRecentLoginChange, isRecentLoginAsked) ? <Question /> : null
}

function Question() {
  const factor = useQuery(secondFactorQuery)
  // The dialog focuses its first button.
  useEffect(() => document.getElementById('ownPassword')?.focus(), [])
  const form = useAdminForm({
    endpoint: confirmIdentity,
    failed: 'Não foi possível confirmar. Tente de novo.',
    onSent: () => answerRecentLogin(true),
    // The second factor may have been turned on in another tab.
    onRefused: () => void factor.refetch(),
  })
  const sending = form.step === 'sending'
  const cancel = () => answerRecentLogin(false)
  return (
    <Dialog title="Confirme que é você" locked={sending} onClose={cancel}>
      <form {...form.attributes}>
        <p>
          Você entrou há mais de dez minutos. Para esta ação, digite a sua senha de novo: assim ninguém a faz no seu
          lugar em um navegador que ficou aberto.
        </p>
        {/* Password managers choose the account by it. */}
        <input
          className="hidden"
          type="text"
          name="username"
          value={currentUser()}
          autoComplete="username"
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <FormProblems form={form} labels={{}} />
        <TextField
          form={form}
          name="ownPassword"
          label="Sua senha"
          type="password"
          autoComplete="current-password"
          required
        />
        {factor.data?.app && (
          <TextField
            form={form}
            name="ownCode"
            label="Código do aplicativo"
            hint="Os 6 números de agora, ou um código de recuperação."
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
        )}
        <div className="actions">
          <button type="button" className="button" disabled={sending} onClick={cancel}>
            Cancelar
          </button>
          <button type="submit" className="button button-yellow" disabled={sending}>
            {sending ? 'Confirmando...' : 'Confirmar'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
