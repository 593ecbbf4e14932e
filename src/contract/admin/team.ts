// Administrators, and the own account of each administrator.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { confirmationField } from '#contract/admin/passkeys.ts'
import { roleNames } from '#contract/admin/roles.ts'
import { codeField, deviceField } from '#contract/admin/second-factor.ts'
import { endpoint } from '#contract/endpoint.ts'
import { email } from '#contract/fields.ts'

const { team: texts, auditLog } = adminMessages

const messageReply = z.object({ success: z.boolean(), message: z.string() })

const newPassword = () =>
  z.string(texts.passwordShort).check(z.minLength(10, texts.passwordShort), z.maxLength(200, texts.passwordLong))

const memberSchema = z.object({
  id: z.number(),
  username: z.string(),
  email: z.string(),
  isActive: z.boolean(),
  role: z.enum(roleNames),
  createdAt: z.string(),
  /** Number of open sessions. */
  sessions: z.number(),
  /** Last activity in an open session; null without one. */
  lastSeenAt: z.nullable(z.string()),
  isMe: z.boolean(),
  hasSecondFactor: z.boolean(),
})

export type Member = z.output<typeof memberSchema>

export const listTeam = endpoint({
  method: 'GET',
  path: '/api/admin/equipe',
  access: 'administrator',
  reply: z.object({ success: z.boolean(), members: z.array(memberSchema) }),
})

export const createMember = endpoint({
  method: 'POST',
  path: '/api/admin/equipe',
  access: 'administrator',
  recentLogin: true,
  auditAction: 'Criou administrador',
  body: z.object({
    username: z.string(texts.username).check(z.trim(), z.regex(/^[\w.@-]{1,50}$/, texts.username)),
    email: email().check(z.maxLength(100, texts.email)),
    /** Absent in calls of earlier versions, which knew one role. */
    role: z._default(z.enum(roleNames, texts.role), 'coordenacao'),
    /** Generated if absent or empty. */
    password: z.optional(z.union([z.literal(''), newPassword()], texts.passwordShort)),
  }),
  reply: z.object({
    success: z.boolean(),
    message: z.string(),
    /** The generated password, shown only once; null if it was given. */
    password: z.nullable(z.string()),
  }),
})

const memberParams = z.object({
  id: z.pipe(z.string().check(z.regex(/^\d{1,15}$/, texts.unknown)), z.transform(Number)),
})

export const deactivateMember = endpoint({
  method: 'POST',
  path: '/api/admin/equipe/:id/desativar',
  access: 'administrator',
  recentLogin: true,
  auditAction: 'Desativou administrador',
  status: 200,
  params: memberParams,
  reply: messageReply,
})

export const activateMember = endpoint({
  method: 'POST',
  path: '/api/admin/equipe/:id/ativar',
  access: 'administrator',
  recentLogin: true,
  auditAction: auditLog.activated,
  status: 200,
  params: memberParams,
  reply: messageReply,
})

/** Open sessions have the new role at once. */
export const changeRole = endpoint({
  method: 'PUT',
  path: '/api/admin/equipe/:id/papel',
  access: 'administrator',
  recentLogin: true,
  auditAction: 'Mudou o papel de administrador',
  params: memberParams,
  body: z.object({ role: z.enum(roleNames, texts.role) }),
  reply: messageReply,
})

/** For an administrator who lost the password. */
export const resetMemberPassword = endpoint({
  method: 'POST',
  path: '/api/admin/equipe/:id/senha',
  access: 'administrator',
  recentLogin: true,
  auditAction: auditLog.resetPasswordMessage,
  status: 200,
  params: memberParams,
  reply: z.object({
    success: z.boolean(),
    message: z.string(),
    /** Shown only once. */
    password: z.string(),
  }),
})

export const changePassword = endpoint({
  method: 'POST',
  path: '/api/admin/conta/senha',
  access: 'administrator',
  role: 'conteudo',
  beforePasswordChange: true,
  beforeSecondFactor: true,
  auditAction: 'Trocou a própria senha',
  status: 200,
  body: z
    .object({
      current: z.string(texts.current).check(z.minLength(1, texts.current), z.maxLength(200, texts.currentWrong)),
      password: newPassword(),
      /** The form asks twice. Other clients may omit it. */
      repeated: z.optional(z.string(texts.repeatedDiffers)),
      /** The browser that changes the password stays known. The others are forgotten. */
      device: deviceField,
    })
    .check(
      z.refine(({ password, repeated }) => repeated === undefined || repeated === password, {
        message: texts.repeatedDiffers,
        path: ['repeated'],
      }),
    ),
  reply: messageReply,
})

/** Enters the password again, for calls that need a recent login. */
export const confirmIdentity = endpoint({
  method: 'POST',
  path: '/api/admin/conta/confirmar',
  access: 'administrator',
  beforeSecondFactor: true,
  role: 'conteudo',
  auditAction: 'Confirmou a própria senha',
  status: 200,
  body: z.object({
    ownPassword: z.string(texts.current).check(z.minLength(1, texts.current), z.maxLength(200, texts.currentWrong)),
    /** Accounts with a second factor need a code or a passkey. */
    ownCode: z.optional(codeField()),
    ownPasskey: z.optional(confirmationField),
  }),
  reply: messageReply,
})

export const endOtherSessions = endpoint({
  method: 'POST',
  path: '/api/admin/conta/encerrar-outras',
  access: 'administrator',
  role: 'conteudo',
  auditAction: 'Encerrou as próprias outras sessões',
  status: 200,
  reply: messageReply,
})
