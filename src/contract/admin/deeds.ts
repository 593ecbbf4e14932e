// The record of what administrators did, and of passwords that were refused to them.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { cursorQuery, cursorReply } from '#contract/admin/paging.ts'
import { endpoint } from '#contract/endpoint.ts'
import { line } from '#contract/fields.ts'

const { deeds: sentences } = adminMessages

/** One changed field. A text too long to show has no values: only that it changed. */
const auditChange = z.object({ field: z.string(), before: z.optional(z.string()), after: z.optional(z.string()) })

export type AuditChange = z.output<typeof auditChange>

export const deedSchema = z.object({
  id: z.number(),
  username: z.string(),
  deed: z.string(),
  /** What it was done to; empty when the deed says it all. */
  subject: z.string(),
  changes: z.array(auditChange),
  at: z.string(),
})

export type Deed = z.output<typeof deedSchema>

export const deedsPerPage = 50

/** A day in Brasília's time, or nothing. */
function day() {
  return z.optional(
    z.string(sentences.day).check(
      z.refine((value) => {
        if (value === '') return true
        const time = Date.parse(`${value}T00:00:00Z`)
        return /^20\d\d-\d\d-\d\d$/.test(value) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
      }, sentences.day),
    ),
  )
}

export const listDeeds = endpoint({
  method: 'GET',
  path: '/api/admin/registro',
  access: 'administrator',
  query: z.object({
    pessoa: z.optional(line({ max: 50, short: sentences.person, long: sentences.person })),
    tipo: z.optional(line({ max: 100, short: sentences.kind, long: sentences.kind })),
    de: day(),
    ate: day(),
    ...cursorQuery(/^\d{1,15}$/),
  }),
  reply: z.object({ success: z.boolean(), total: z.number(), deeds: z.array(deedSchema), ...cursorReply }),
})

/** Whom and what the record can be filtered by. */
export const readDeedFilters = endpoint({
  method: 'GET',
  path: '/api/admin/registro/filtros',
  access: 'administrator',
  reply: z.object({ success: z.boolean(), people: z.array(z.string()), kinds: z.array(z.string()) }),
})
