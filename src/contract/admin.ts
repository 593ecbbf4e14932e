// Entering and leaving the admin area, and what can be asked before there is anybody to enter.
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'

const { admin } = messages

// Nothing is tidied: a password is what was typed. The lengths spare the server from hashing novels.
const credentials = z.object({
  username: z
    .string(admin.credentials)
    .check(z.trim(), z.minLength(1, admin.credentials), z.maxLength(50, admin.refused)),
  password: z.string(admin.credentials).check(z.minLength(1, admin.credentials), z.maxLength(200, admin.refused)),
})

const sentence = z.object({ success: z.boolean(), message: z.string() })

export const logIn = endpoint({
  method: 'POST',
  path: '/api/admin/login',
  access: 'anyone',
  status: 200,
  body: credentials,
  reply: z.object({ success: z.boolean(), message: z.string(), token: z.string() }),
})

export const logOut = endpoint({
  method: 'POST',
  path: '/api/admin/logout',
  access: 'administrator',
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
