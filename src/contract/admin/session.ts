// Login, logout, and endpoints that work before the first administrator exists.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { passkeyRequest } from '#contract/admin/passkeys.ts'
import { roleNames } from '#contract/admin/roles.ts'
import { endpoint } from '#contract/endpoint.ts'

const { session: texts } = adminMessages

// The password is not normalized. The length limits keep the server from hashing very long texts.
const credentials = z.object({
  username: z.string(texts.username).check(
    z.trim(),
    z.minLength(1, texts.username),
    z.maxLength(50, texts.refused),
    // The database cannot store these characters, so no user has such a name.
    z.regex(/^[^\p{Cc}\p{Cs}]*$/u, texts.refused),
  ),
  password: z.string(texts.password).check(z.minLength(1, texts.password), z.maxLength(200, texts.refused)),
})

/** Header of calls that an open page makes without a user action: the user may be absent. */
export const backgroundHeader = 'x-por-si'

/** Present if the password was generated: until it is replaced, other endpoints refuse with `password-change-required`. */
const mustChangePassword = z.optional(z.boolean())

/** Present if the site requires a second factor and the account has none: others refuse with `second-factor-required`. */
const mustAddFactor = z.optional(z.boolean())

const messageReply = z.object({ success: z.boolean(), message: z.string() })

export const logIn = endpoint({
  method: 'POST',
  path: '/api/admin/login',
  access: 'anyone',
  status: 200,
  body: z.extend(credentials, {
    /** Token of a browser with an earlier login; the browser stores it. */
    device: z.optional(z.string(texts.refused).check(z.maxLength(64, texts.refused))),
  }),
  reply: z.union([
    z.extend(messageReply, { token: z.string(), device: z.string(), mustChangePassword, mustAddFactor }),
    /** The account has a second factor, which is due: see `finishLogin` and `finishLoginWithPasskey`. */
    z.extend(messageReply, {
      challenge: z.string(),
      /** The account has an authenticator app. Absent in replies of earlier versions, which knew no other factor. */
      app: z.optional(z.boolean()),
      passkey: z.optional(passkeyRequest),
    }),
  ]),
})

export const logOut = endpoint({
  method: 'POST',
  path: '/api/admin/logout',
  access: 'administrator',
  role: 'conteudo',
  beforePasswordChange: true,
  beforeSecondFactor: true,
  auditAction: 'Saiu',
  status: 200,
  reply: messageReply,
})

export const readSession = endpoint({
  method: 'GET',
  path: '/api/admin/sessao',
  access: 'administrator',
  role: 'conteudo',
  beforePasswordChange: true,
  beforeSecondFactor: true,
  reply: z.object({
    success: z.boolean(),
    username: z.string(),
    role: z.enum(roleNames),
    mustChangePassword,
    mustAddFactor,
  }),
})

export const diagnose = endpoint({
  method: 'GET',
  path: '/api/admin/diagnostico',
  access: 'anyone',
  reply: z.object({ success: z.boolean(), message: z.string(), adminExists: z.boolean() }),
})

export const setUp = endpoint({
  method: 'POST',
  path: '/api/admin/setup',
  access: 'anyone',
  status: 200,
  reply: messageReply,
})
