// Who may enter the admin area, and what each does with the own account.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { endpoint } from '#contract/endpoint.ts'
import { email } from '#contract/fields.ts'

const { team: sentences, deeds } = adminMessages

const sentence = z.object({ success: z.boolean(), message: z.string() })

const newPassword = () =>
  z
    .string(sentences.passwordShort)
    .check(z.minLength(10, sentences.passwordShort), z.maxLength(200, sentences.passwordLong))

export const memberSchema = z.object({
  id: z.number(),
  username: z.string(),
  email: z.string(),
  isActive: z.boolean(),
  createdAt: z.string(),
  /** Sessions that are open now. */
  sessions: z.number(),
  /** In an open session; nothing when there is none. */
  lastSeenAt: z.nullable(z.string()),
  isMe: z.boolean(),
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
  deed: 'Criou administrador',
  body: z.object({
    username: z.string(sentences.username).check(z.trim(), z.regex(/^[\w.@-]{1,50}$/, sentences.username)),
    email: email().check(z.maxLength(100, sentences.email)),
    /** Without one, we make one. */
    password: z.optional(z.union([z.literal(''), newPassword()], sentences.passwordShort)),
  }),
  reply: z.object({
    success: z.boolean(),
    message: z.string(),
    /** The one that we made: said here and never again. */
    password: z.nullable(z.string()),
  }),
})

const memberParams = z.object({
  id: z.pipe(z.string().check(z.regex(/^\d{1,15}$/, sentences.unknown)), z.transform(Number)),
})

export const deactivateMember = endpoint({
  method: 'POST',
  path: '/api/admin/equipe/:id/desativar',
  access: 'administrator',
  deed: 'Desativou administrador',
  status: 200,
  params: memberParams,
  reply: sentence,
})

export const activateMember = endpoint({
  method: 'POST',
  path: '/api/admin/equipe/:id/ativar',
  access: 'administrator',
  deed: deeds.activated,
  status: 200,
  params: memberParams,
  reply: sentence,
})

/** For who lost theirs. */
export const renewPassword = endpoint({
  method: 'POST',
  path: '/api/admin/equipe/:id/senha',
  access: 'administrator',
  deed: deeds.renewedPassword,
  status: 200,
  params: memberParams,
  reply: z.object({
    success: z.boolean(),
    message: z.string(),
    /** Said here and never again. */
    password: z.string(),
  }),
})

export const changePassword = endpoint({
  method: 'POST',
  path: '/api/admin/conta/senha',
  access: 'administrator',
  deed: 'Trocou a própria senha',
  status: 200,
  body: z.object({
    current: z
      .string(sentences.current)
      .check(z.minLength(1, sentences.current), z.maxLength(200, sentences.currentWrong)),
    password: newPassword(),
  }),
  reply: sentence,
})

export const endOtherSessions = endpoint({
  method: 'POST',
  path: '/api/admin/conta/encerrar-outras',
  access: 'administrator',
  deed: 'Encerrou as próprias outras sessões',
  status: 200,
  reply: sentence,
})
