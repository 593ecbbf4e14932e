// Asks for the password again before sensitive calls. The refused call is repeated afterwards.
import { useQuery } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { beginConfirmation } from '#contract/admin/passkeys.ts'
import { confirmIdentity } from '#contract/admin/team.ts'
import { passkeyProblem, signWithPasskey } from '#web/admin/account/passkeys.ts'
import { PasswordDialog } from '#web/admin/account/password-dialog.tsx'
import { secondFactorQuery } from '#web/admin/account/second-factor-query.ts'
import { callAdmin } from '#web/admin/api/client.ts'
import { answerRecentLogin, isRecentLoginAsked, onRecentLoginChange } from '#web/admin/api/recent-login.ts'
import { TextField } from '#web/forms/fields/field.tsx'
import type { FormValues } from '#web/forms/submission/form-values.ts'

export function RecentLoginDialog() {
  return useSyncExternalStore(onRecentLoginChange, isRecentLoginAsked) ? <Question /> : null
}

async function confirmWithPasskey(values: FormValues) {
  const { options } = await callAdmin(beginConfirmation)
  const ownPasskey = { challenge: options.challenge, assertion: await signWithPasskey(options) }
  return callAdmin(confirmIdentity, { body: { ...values, ownPasskey } })
}

function Question() {
  const factor = useQuery(secondFactorQuery)
  const [prefersCode, setPrefersCode] = useState(false)
  const { app = false, passkeys = [], arePasskeysAvailable = false } = factor.data ?? {}
  const hasPasskey = passkeys.length > 0
  const canSign = hasPasskey && arePasskeysAvailable && !passkeyProblem()
  const signs = canSign && !prefersCode
  return (
    <PasswordDialog
      endpoint={confirmIdentity}
      title="Confirme que é você"
      explanation="Você entrou há mais de dez minutos. Para esta ação, digite a sua senha de novo: assim ninguém a faz no seu lugar em um navegador que ficou aberto."
      action={signs ? 'Confirmar com a chave de acesso' : 'Confirmar'}
      busyAction="Confirmando..."
      send={signs ? confirmWithPasskey : undefined}
      onSent={() => answerRecentLogin(true)}
      // The second factor may have been turned on in another tab.
      onRefused={() => void factor.refetch()}
      onClose={() => answerRecentLogin(false)}
      fields={(form) => (
        <>
          {(app || hasPasskey) && !signs && (
            <TextField
              form={form}
              name="ownCode"
              label={app ? 'Código do aplicativo' : 'Código de recuperação'}
              hint={app ? 'Os 6 números de agora, ou um código de recuperação.' : 'Um dos que você guardou.'}
              autoComplete="one-time-code"
              autoCapitalize="none"
              spellCheck={false}
              required
            />
          )}
          {canSign && (
            <button type="button" className="button small" onClick={() => setPrefersCode(!prefersCode)}>
              {signs ? 'Usar um código' : 'Usar a chave de acesso'}
            </button>
          )}
        </>
      )}
    />
  )
}
