// Entering and leaving the admin area, and what can be asked before there is anybody to enter.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { endpoint } from '#contract/endpoint.ts'

const { session: sentences } = adminMessages

// Nothing is tidied: a password is what was typed. The lengths spare the server from hashing novels.
const credentials = z.object({
  username: z.string(sentences.username).check(
    z.trim(),
    z.minLength(1, sentences.username),
    z.maxLength(50, sentences.refused),
    // What no database can hold nobody is called.
    z.regex(/^[^\p{Cc}\p{Cs}]*$/u, sentences.refused),
  ),
  password: z.string(sentences.password).check(z.minLength(1, sentences.password), z.maxLength(200, sentences.refused)),
})

/** Header of calls that an open page makes by itself: nobody need be there. */
export const byItself = 'x-por-si'

const sentence = z.object({ success: z.boolean(), message: z.string() })

export const logIn = endpoint({
  method: 'POST',
  path: '/api/admin/login',
  access: 'anyone',
  status: 200,
  body: z.extend(credentials, {
    /** Of a browser in which somebody logged in before; the browser keeps it. */
    device: z.optional(z.string(sentences.refused).check(z.maxLength(64, sentences.refused))),
  }),
  reply: z.object({ success: z.boolean(), message: z.string(), token: z.string(), device: z.string() }),
})

export const logOut = endpoint({
  method: 'POST',
  path: '/api/admin/logout',
  access: 'administrator',
  deed: 'Saiu',
  status: 200,
  reply: sentence,
})

export const readSession = endpoint({
  method: 'GET',
  path: '/api/admin/sessao',
  access: 'administrator',
  reply: z.object({ success: z.boolean(), username: z.string() }),
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
  reply: sentence,
})
