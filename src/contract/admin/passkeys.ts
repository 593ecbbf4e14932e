// Passkeys (WebAuthn) as a second factor: their list, the second step of the login, and the recent login.
import * as z from 'zod/mini'
import { codesReply, deviceField, loginReply, ownPasswordField } from '#contract/admin/second-factor.ts'
import { endpoint } from '#contract/endpoint.ts'
import { line } from '#contract/fields.ts'

export const maxPasskeys = 20

export const passkeyMessages = {
  name: 'Dê um nome à chave, de até 60 caracteres.',
  due: 'Agora use a sua chave de acesso.',
  refused: 'A chave de acesso não foi aceita. Tente de novo, ou use outra forma.',
  malformed: 'O navegador enviou uma chave de acesso que o site não entende. Tente de novo.',
  notAdded: 'A chave de acesso não foi aceita, ou demorou demais. Tente de novo.',
  taken: 'Esta chave de acesso já está cadastrada.',
  tooMany: `Cada conta pode ter até ${maxPasskeys} chaves de acesso. Retire uma antes.`,
  unknown: 'Esta chave de acesso não existe mais.',
  unavailable:
    'Este site ainda não aceita chaves de acesso: elas precisam de um endereço https com domínio. Confira PUBLIC_URL no servidor.',
  added: 'Chave de acesso adicionada.',
  removed: 'Chave de acesso retirada.',
} as const

const { malformed } = passkeyMessages
const messageReply = z.object({ success: z.boolean(), message: z.string() })

const encoded = (max: number) =>
  z.string(malformed).check(z.maxLength(max, malformed), z.regex(/^[\w-]+={0,2}$/, malformed))
const credentialId = () => encoded(1_400)
const credentialType = z.literal('public-key', malformed)
const challengeField = () => encoded(64)

/** How a browser reaches the authenticator. Unknown ones are ignored. */
export const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
const descriptor = z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.enum(transports)) })

/** Asks a browser to sign with one of the passkeys. */
export const passkeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.literal('preferred'),
  allowCredentials: z.array(descriptor),
})
export type PasskeyRequest = z.output<typeof passkeyRequest>

/** Signed by a passkey. */
const assertion = z.object(
  {
    id: credentialId(),
    rawId: credentialId(),
    type: credentialType,
    response: z.object(
      { clientDataJSON: encoded(8_000), authenticatorData: encoded(8_000), signature: encoded(8_000) },
      malformed,
    ),
  },
  malformed,
)
export type PasskeyAssertion = z.output<typeof assertion>

/** The second step of a login: `challenge` is from the reply to the password. */
export const finishLoginWithPasskey = endpoint({
  method: 'POST',
  path: '/api/admin/login/chave',
  access: 'anyone',
  status: 200,
  body: z.object({ challenge: challengeField(), passkey: assertion, device: deviceField }),
  reply: loginReply,
})

export const beginConfirmation = endpoint({
  method: 'POST',
  path: '/api/admin/conta/confirmar/chave',
  access: 'administrator',
  role: 'conteudo',
  beforeSecondFactor: true,
  auditAction: 'Começou a confirmar com a chave de acesso',
  status: 200,
  reply: z.object({ success: z.boolean(), options: passkeyRequest }),
})

/** In the body of `confirmIdentity`. */
export const confirmationField = z.object({ challenge: challengeField(), assertion }, malformed)

export const beginPasskeySetup = endpoint({
  method: 'POST',
  path: '/api/admin/conta/segundo-fator/chaves/opcoes',
  access: 'administrator',
  role: 'conteudo',
  recentLogin: true,
  beforeSecondFactor: true,
  auditAction: 'Começou a adicionar uma chave de acesso',
  status: 200,
  reply: z.object({
    success: z.boolean(),
    options: z.object({
      challenge: z.string(),
      rp: z.object({ id: z.string(), name: z.string() }),
      user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
      pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
      timeout: z.number(),
      attestation: z.literal('none'),
      authenticatorSelection: z.object({
        residentKey: z.literal('preferred'),
        userVerification: z.literal('preferred'),
      }),
      excludeCredentials: z.array(descriptor),
    }),
  }),
})
export type PasskeyCreation = z.output<typeof beginPasskeySetup.reply>['options']

const registration = z.object(
  {
    id: credentialId(),
    rawId: credentialId(),
    type: credentialType,
    response: z.object(
      {
        clientDataJSON: encoded(8_000),
        attestationObject: encoded(30_000),
        transports: z.optional(
          z.array(z.string(malformed).check(z.maxLength(30, malformed)), malformed).check(z.maxLength(20, malformed)),
        ),
      },
      malformed,
    ),
  },
  malformed,
)
export type PasskeyRegistration = z.output<typeof registration>

/** The part of `addPasskey` that people type. */
export const passkeyName = z.object({
  /** Given by the owner, to tell the passkeys apart. */
  nome: line({ min: 1, max: 60, short: passkeyMessages.name, long: passkeyMessages.name }),
})

export const addPasskey = endpoint({
  method: 'POST',
  path: '/api/admin/conta/segundo-fator/chaves',
  access: 'administrator',
  role: 'conteudo',
  recentLogin: true,
  beforeSecondFactor: true,
  auditAction: 'Adicionou uma chave de acesso',
  body: z.extend(passkeyName, { challenge: challengeField(), passkey: registration }),
  reply: codesReply,
})

export const removePasskey = endpoint({
  method: 'POST',
  path: '/api/admin/conta/segundo-fator/chaves/:id/retirar',
  access: 'administrator',
  role: 'conteudo',
  recentLogin: true,
  auditAction: 'Retirou uma chave de acesso',
  status: 200,
  params: z.object({
    id: z.pipe(z.string().check(z.regex(/^\d{1,15}$/, passkeyMessages.unknown)), z.transform(Number)),
  }),
  body: z.object({ ownPassword: ownPasswordField }),
  reply: messageReply,
})
