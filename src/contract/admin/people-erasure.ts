// Erasure of everything about a person: all records of the mailbox, conversations and e-mails.
import * as z from 'zod/mini'
import { peopleKinds, recordParams } from '#contract/admin/people.ts'
import { endpoint } from '#contract/endpoint.ts'

const counts = {
  /** Every kind, also those without records. */
  registros: z.array(z.object({ tipo: z.enum(peopleKinds), n: z.number() })),
  conversas: z.number(),
  notas: z.number(),
  /** Links in e-mails. */
  links: z.number(),
  /** News items that the person got or would get by e-mail. */
  novidades: z.number(),
}
const countsSchema = z.object(counts)
export type ErasureCounts = z.output<typeof countsSchema>

/** What `eraseEverything` would erase. */
export const previewErasure = endpoint({
  method: 'GET',
  path: '/api/admin/pessoas/:tipo/:id/tudo',
  access: 'administrator',
  params: recordParams,
  reply: z.object({ success: z.boolean(), ...counts }),
})

/** The record names the person. */
export const eraseEverything = endpoint({
  method: 'DELETE',
  path: '/api/admin/pessoas/:tipo/:id/tudo',
  access: 'administrator',
  recentLogin: true,
  auditAction: 'Apagou tudo de uma pessoa',
  params: recordParams,
  reply: z.object({ success: z.boolean(), message: z.string(), ...counts }),
})
