// Second factor of administrators: codes of an authenticator app, recovery codes, and the second step of the login.
// Passkeys are in `passkeys.ts`.
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'

export const secondFactorMessages = {
  code: 'Digite o código de 6 números, ou um código de recuperação.',
  appCode: 'Digite os 6 números que o aplicativo mostra.',
  codeWrong: 'O código não confere. Confira a hora do aparelho, ou espere o próximo código.',
  codeDue: 'Agora digite o código do seu aplicativo.',
  factorDue: 'Falta a segunda etapa: um código, ou a chave de acesso.',
  loginExpired: 'A entrada demorou demais ou teve códigos errados demais. Digite a senha de novo.',
  unavailable: 'Este site ainda não pode guardar o segredo do aplicativo: falta a chave DATA_KEY no servidor.',
  unreadable:
    'O servidor não consegue conferir códigos do aplicativo agora: a chave DATA_KEY falta ou mudou. Use um código de recuperação.',
  notBegun: 'Comece de novo: este código QR não vale mais.',
  turnedOn: 'Verificação em duas etapas ligada.',
  turnedOff: 'Verificação em duas etapas desligada.',
  appRemoved: 'Aplicativo de códigos desligado. A entrada continua pedindo a chave de acesso.',
  alreadyOff: 'A verificação em duas etapas não está ligada.',
  required: 'Este site exige a verificação em duas etapas: ela não pode ser desligada.',
  codesRenewed: 'Códigos novos feitos. Os antigos não valem mais.',
  setUpRequired: 'Antes de continuar, ligue a verificação em duas etapas da sua conta.',
  removed: (username: string) => `Verificação em duas etapas de ${username} retirada.`,
  removeOwn: 'A verificação em duas etapas da sua própria conta se desliga em “Minha conta”, que pede a senha.',
} as const

export const secondFactorActions = {
  turnedOn: 'Ligou a verificação em duas etapas',
  turnedOff: 'Desligou a verificação em duas etapas',
  removed: 'Retirou a verificação em duas etapas de administrador',
  /** Subject of `turnedOff` while passkeys remain. */
  appOnly: 'só o aplicativo',
  /** Subject of the login entry. */
  withRecoveryCode: 'com código de recuperação',
} as const

const { code: codeText, appCode } = secondFactorMessages
const messageReply = z.object({ success: z.boolean(), message: z.string() })
export const deviceField = z.optional(z.string().check(z.maxLength(64)))

export const loginReply = z.extend(messageReply, {
  token: z.string(),
  device: z.string(),
  mustChangePassword: z.optional(z.boolean()),
})

/** Spaces and dashes are ignored: apps show codes in groups. */
const normalized = (message: string) =>
  z.pipe(
    z.string(message).check(z.maxLength(100, message)),
    z.transform((text) => text.replace(/[\s-]/g, '').toLowerCase()),
  )
/** Of the authenticator app. */
const appCodeField = () => normalized(appCode).check(z.refine((text) => /^\d{6}$/.test(String(text)), appCode))
/** Of the authenticator app, or a recovery code. */
export const codeField = () =>
  normalized(codeText).check(z.refine((text) => /^(\d{6}|[a-z2-9]{25})$/.test(String(text)), codeText))

/** The second step of a login: `challenge` is from the reply to the password. */
export const finishLogin = endpoint({
  method: 'POST',
  path: '/api/admin/login/codigo',
  access: 'anyone',
  status: 200,
  body: z.object({
    challenge: z.string(codeText).check(z.maxLength(64, codeText)),
    code: codeField(),
    device: deviceField,
  }),
  reply: loginReply,
})

export const readSecondFactor = endpoint({
  method: 'GET',
  path: '/api/admin/conta/segundo-fator',
  access: 'administrator',
  role: 'conteudo',
  beforeSecondFactor: true,
  reply: z.object({
    success: z.boolean(),
    /** Codes of an authenticator app are asked for at the login. */
    app: z.boolean(),
    passkeys: z.array(
      z.object({ id: z.number(), name: z.string(), createdAt: z.string(), lastUsedAt: z.nullable(z.string()) }),
    ),
    /** Unused recovery codes. */
    recoveryCodes: z.number(),
    /** False without DATA_KEY: the secret of an app could not be stored. */
    isAvailable: z.boolean(),
    /** False without a public https address: browsers would not create passkeys. */
    arePasskeysAvailable: z.boolean(),
    /** The site requires a second factor of every account. */
    isRequired: z.boolean(),
  }),
})

export type SecondFactor = z.output<typeof readSecondFactor.reply>

/** Makes a secret, which counts only after a code of it is confirmed. */
export const beginAppSetup = endpoint({
  method: 'POST',
  path: '/api/admin/conta/segundo-fator/aplicativo',
  access: 'administrator',
  role: 'conteudo',
  recentLogin: true,
  beforeSecondFactor: true,
  auditAction: 'Começou a ligar a verificação em duas etapas',
  status: 200,
  reply: z.object({
    success: z.boolean(),
    /** In groups, to be typed where no camera reads the QR code. */
    secret: z.string(),
    /** `otpauth:` address of the QR code. */
    address: z.string(),
  }),
})

/** The codes are shown once. Empty if earlier ones stay valid. */
export const codesReply = z.extend(messageReply, { recoveryCodes: z.array(z.string()) })

export const confirmAppSetup = endpoint({
  method: 'POST',
  path: '/api/admin/conta/segundo-fator/aplicativo/confirmar',
  access: 'administrator',
  role: 'conteudo',
  recentLogin: true,
  beforeSecondFactor: true,
  auditAction: secondFactorActions.turnedOn,
  status: 200,
  body: z.object({ code: appCodeField() }),
  reply: codesReply,
})

export const ownPasswordField = z
  .string('Digite a sua senha')
  .check(z.minLength(1, 'Digite a sua senha'), z.maxLength(200))

export const turnOffApp = endpoint({
  method: 'POST',
  path: '/api/admin/conta/segundo-fator/aplicativo/desligar',
  access: 'administrator',
  role: 'conteudo',
  recentLogin: true,
  auditAction: secondFactorActions.turnedOff,
  status: 200,
  body: z.object({ ownPassword: ownPasswordField }),
  reply: messageReply,
})

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/admin/conta/segundo-fator/recuperacao',
  access: 'administrator',
  role: 'conteudo',
  recentLogin: true,
  auditAction: 'Fez códigos de recuperação novos',
  status: 200,
  body: z.object({ ownPassword: ownPasswordField }),
  reply: codesReply,
})

/** For an administrator who lost the device. */
export const removeSecondFactor = endpoint({
  method: 'POST',
  path: '/api/admin/equipe/:id/segundo-fator',
  access: 'administrator',
  recentLogin: true,
  auditAction: secondFactorActions.removed,
  status: 200,
  params: z.object({ id: z.pipe(z.string().check(z.regex(/^\d{1,15}$/)), z.transform(Number)) }),
  reply: messageReply,
})
