// Second step of the login: a passkey, the code of the authenticator app, or a recovery code.
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { adminMessages } from '#contract/admin/messages.ts'
import { finishLoginWithPasskey, type PasskeyRequest } from '#contract/admin/passkeys.ts'
import { finishLogin } from '#contract/admin/second-factor.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { passkeyProblem, signWithPasskey } from '#web/admin/account/passkeys.ts'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { readDevice, startSession, storeDevice } from '#web/admin/session/session.ts'
import { useAdminForm } from '#web/admin/ui/use-admin-form.ts'
import { ApiFailure } from '#web/api/client.ts'
import { FormProblems, TextField } from '#web/forms/fields/field.tsx'

const { session } = adminMessages

export interface StartedLogin {
  challenge: string
  username: string
  /** Absent in replies of earlier versions, which knew no other factor. */
  app?: boolean | undefined
  passkey?: PasskeyRequest | undefined
}

type Method = 'passkey' | 'app' | 'recovery'

const methodNames: Record<Method, string> = {
  passkey: 'Usar a chave de acesso',
  app: 'Usar o código do aplicativo',
  recovery: 'Usar um código de recuperação',
}

interface SecondStepProps {
  started: StartedLogin
  /** Back to the password, with the message of an expired login. */
  onBack(message?: string): void
}

export function SecondStep({ started, onBack }: SecondStepProps) {
  const { challenge, username, app = true, passkey } = started
  const problem = passkey && passkeyProblem()
  const methods: Method[] = [
    ...(passkey && !problem ? (['passkey'] as const) : []),
    ...(app ? (['app'] as const) : []),
    'recovery',
  ]
  const [method = 'recovery', setMethod] = useState(methods[0])

  function finish({ token, device, mustChangePassword }: ReplyOf<typeof finishLogin>): void {
    storeDevice(device)
    startSession({ token, username, mustChangePassword })
  }
  function handleFailure(error: unknown): void {
    if (error instanceof ApiFailure && error.refusal.code === 'login-expired') onBack(error.refusal.message)
  }
  const step = { challenge, onFinished: finish, onFailed: handleFailure }
  const others = (sending: boolean) => (
    <div className="login-other">
      {methods
        .filter((each) => each !== method)
        .map((each) => (
          <button key={each} type="button" className="button small" disabled={sending} onClick={() => setMethod(each)}>
            {methodNames[each]}
          </button>
        ))}
      <button type="button" className="button small" disabled={sending} onClick={() => onBack()}>
        Voltar
      </button>
    </div>
  )
  if (method === 'passkey' && passkey) return <PasskeyStep {...step} request={passkey} others={others} />
  return <CodeStep {...step} key={method} isRecovery={method === 'recovery'} notice={problem} others={others} />
}

interface StepProps {
  challenge: string
  onFinished(reply: ReplyOf<typeof finishLogin>): void
  onFailed(error: unknown): void
  /** The buttons of the other ways. */
  others(sending: boolean): ReactNode
}

function PasskeyStep({ challenge, onFinished, onFailed, others, request }: StepProps & { request: PasskeyRequest }) {
  const login = useMutation({
    mutationFn: async () => {
      const passkey = await signWithPasskey(request)
      return callAdmin(finishLoginWithPasskey, { body: { challenge, passkey, device: readDevice() } })
    },
    onSuccess: onFinished,
    onError: onFailed,
  })
  const { isPending } = login
  // The step replaces the form of the password. A disabled button loses the focus.
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isPending) button.current?.focus()
  }, [isPending])
  return (
    <div className="login-card">
      <p id="chave">
        Falta a segunda etapa: confirme com a digital, o rosto ou o PIN do aparelho, ou com a sua chave de segurança.
      </p>
      <p role="alert" className="error">
        {login.isError && errorMessage(login.error, session.failed, session.connection)}
      </p>
      <button
        ref={button}
        className="button button-yellow"
        type="button"
        disabled={isPending}
        aria-describedby="chave"
        onClick={() => login.mutate()}
      >
        {isPending ? 'Entrando...' : 'Entrar com a chave de acesso'}
      </button>
      {others(isPending)}
    </div>
  )
}

interface CodeStepProps extends StepProps {
  isRecovery: boolean
  /** Why the passkey is not offered. */
  notice: string | undefined
}

function CodeStep({ challenge, onFinished, onFailed, others, isRecovery, notice }: CodeStepProps) {
  const form = useAdminForm({
    endpoint: finishLogin,
    failed: session.failed,
    connection: session.connection,
    prepare: (values) => ({ ...values, challenge, device: readDevice() }),
    onSent: onFinished,
    onRefused: onFailed,
  })
  // The step replaces another form, so screen readers must be told.
  const { ref } = form.attributes
  useEffect(() => ref.current?.querySelector('input')?.focus(), [ref])
  const sending = form.step === 'sending'
  return (
    <form className="login-card" {...form.attributes}>
      {notice && <p className="notice">{notice}</p>}
      <FormProblems form={form} labels={{}} />
      {isRecovery ? (
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
      {others(sending)}
    </form>
  )
}
