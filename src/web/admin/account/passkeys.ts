// Asks the browser to create or to use a passkey. Failures have a Portuguese message, like refusals of the server.
import type {
  PasskeyAssertion,
  PasskeyCreation,
  PasskeyRegistration,
  PasskeyRequest,
} from '#contract/admin/passkeys.ts'
import { connectionError } from '#web/admin/api/client.ts'
import { publicUrl } from '#web/admin/ui/site.ts'
import { ApiFailure } from '#web/api/client.ts'

const elsewhere = `As chaves de acesso só funcionam em ${publicUrl}. Entre na administração por esse endereço.`
const problems = {
  unsupported: 'Este navegador não tem chaves de acesso. Atualize-o, ou use outro.',
  cancelled: 'A chave de acesso não foi usada: o pedido foi cancelado, ou o tempo acabou. Tente de novo.',
  known: 'Este aparelho já tem uma chave de acesso da sua conta.',
  other: 'O navegador não conseguiu usar a chave de acesso. Tente de novo, ou use outra forma.',
}

/** Why passkeys do not work in this browser, or at this address of the site. Undefined if they do. */
export function passkeyProblem(): string | undefined {
  if (location.origin !== publicUrl) return elsewhere
  return typeof PublicKeyCredential === 'undefined' ? problems.unsupported : undefined
}

export function createPasskey(optionsJSON: PasskeyCreation): Promise<PasskeyRegistration> {
  return withLibrary(({ startRegistration }) => startRegistration({ optionsJSON }))
}

export function signWithPasskey(optionsJSON: PasskeyRequest): Promise<PasskeyAssertion> {
  return withLibrary(({ startAuthentication }) => startAuthentication({ optionsJSON }))
}

type Library = typeof import('@simplewebauthn/browser')

async function withLibrary<Result>(use: (library: Library) => Promise<Result>): Promise<Result> {
  const library = await import('@simplewebauthn/browser').catch(() => {
    throw failure(connectionError)
  })
  return use(library).catch((error) => {
    throw failure(messageOf(error))
  })
}

const failure = (message: string) => new ApiFailure(400, { success: false, message })

function messageOf({ name, code }: { name?: string; code?: string }): string {
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return problems.known
  // Browsers do not tell a cancelled request from an expired one.
  if (name === 'NotAllowedError' || name === 'AbortError') return problems.cancelled
  return name === 'SecurityError' ? elsewhere : problems.other
}
