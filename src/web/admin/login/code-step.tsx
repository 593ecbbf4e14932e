// Second step of the login: the code of the authenticator app, or a recovery code.
import { useEffect, useState } from 'react'
import { adminMessages } from '#contract/admin/messages.ts'
import { finishLogin } from '#contract/admin/second-factor.ts'
import { readDevice, startSession, storeDevice } from '#web/admin/session/session.ts'
import { useAdminForm } from '#web/admin/ui/use-admin-form.ts'
import { FormProblems, TextField } from '#web/forms/fields/field.tsx'

const { session } = adminMessages

interface CodeStepProps {
  challenge: string
  username: string
  /** Back to the password, with the message of an expired login. */
  onBack(message?: string): void
}

export function CodeStep({ challenge, username, onBack }: CodeStepProps) {
  const [usesRecovery, setUsesRecovery] = useState(false)
  const form = useAdminForm({
    endpoint: finishLogin,
    failed: session.failed,
    connection: session.connection,
    prepare: (values) => ({ ...values, challenge, device: readDevice() }),
    onSent({ token, device, mustChangePassword }) {
      storeDevice(device)
      startSession({ token, username, mustChangePassword })
    },
    onRefused({ refusal }) {
      if (refusal.code === 'login-expired') onBack(refusal.message)
    },
  })
  // The step replaces the form of the password, so screen readers must be told.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the field changes
  useEffect(() => form.attributes.ref.current?.querySelector('input')?.focus(), [usesRecovery])
  const sending = form.step === 'sending'
  return (
    <form className="login-card" {...form.attributes} key={usesRecovery ? 'recovery' : 'app'}>
      <FormProblems form={form} labels={{}} />
      {usesRecovery ? (
        <TextField
          form={form}
          name="code"
          label="Código de recuperação"
          hint="Um dos dez que você guardou. Cada um vale uma vez."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      ) : (
        <TextField
          form={form}
          name="code"
          label="Código do aplicativo"
          hint="Os 6 números que o aplicativo do seu celular mostra agora."
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
          required
        />
      )}
      <button className="button button-yellow" type="submit" disabled={sending}>
        {sending ? 'Entrando...' : 'Entrar'}
      </button>
      <div className="login-other">
        <button
          type="button"
          className="button small"
          disabled={sending}
          onClick={() => {
            form.dispatch({ step: 'editing', focus: { onFirst: true } })
            setUsesRecovery(!usesRecovery)
          }}
        >
          {usesRecovery ? 'Usar o aplicativo' : 'Usar um código de recuperação'}
        </button>
        <button type="button" className="button small" disabled={sending} onClick={() => onBack()}>
          Voltar
        </button>
      </div>
    </form>
  )
}
