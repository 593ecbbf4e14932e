// Refusals: the body of every reply that is not a success. Clients branch on `code`, never on the text.
import * as z from 'zod/mini'

const kinds = [
  'invalid',
  'unauthenticated',
  'forbidden',
  'not-found',
  'gone',
  'conflict',
  'too-large',
  'unsupported',
  'too-many',
  'unavailable',
] as const

/** Refusals that a page shows in its own way. */
const specificCodes = [
  'password-change-required',
  'role-required',
  'recent-login-required',
  'second-factor-required',
  'login-expired',
  'campaign-not-found',
  'campaign-closed',
  'link-unknown',
  'link-expired',
  'link-already-confirmed',
  'link-already-subscribed',
  'link-already-returned',
  'link-already-removed',
  'link-already-silent',
] as const

export const refusalSchema = z.object({
  success: z.literal(false),
  /** A sentence in Portuguese, to be shown to people. */
  message: z.string(),
  code: z.enum([...kinds, 'timeout', 'unexpected', ...specificCodes]),
  /** The first message for each invalid field. */
  errors: z.optional(z.record(z.string(), z.string())),
  /** The stored version, when another person saved first. */
  current: z.optional(z.unknown()),
})

/** Kind of an error in domain code, and its code unless it has one of its own. */
export type RefusalKind = (typeof kinds)[number]
export type Refusal = z.output<typeof refusalSchema>
export type RefusalCode = Refusal['code']
