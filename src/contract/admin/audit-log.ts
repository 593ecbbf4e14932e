// Audit log: actions of administrators, searches and views of personal data, refused passwords and refused calls.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { cursorQuery, cursorReply } from '#contract/admin/paging.ts'
import { endpoint } from '#contract/endpoint.ts'
import { line } from '#contract/fields.ts'

const { auditLog: texts } = adminMessages

/** One changed field. The values are omitted when they are too long to show. */
const auditChange = z.object({ field: z.string(), before: z.optional(z.string()), after: z.optional(z.string()) })

export type AuditChange = z.output<typeof auditChange>

const auditEntrySchema = z.object({
  id: z.number(),
  username: z.string(),
  deed: z.string(),
  /** Object of the action; empty when the action has none. */
  subject: z.string(),
  changes: z.array(auditChange),
  /** Tells sessions apart. Null for the operator, the system, and entries of earlier versions. */
  session: z.nullable(z.string()),
  /** The network of the client: an IPv4 /24 or an IPv6 /48. */
  network: z.nullable(z.string()),
  at: z.string(),
})

export type AuditEntry = z.output<typeof auditEntrySchema>

export const auditEntriesPerPage = 50

/** A day in Brasília time, or empty. */
function day() {
  return z.optional(
    z.string(texts.day).check(
      z.refine((value) => {
        if (value === '') return true
        const time = Date.parse(`${value}T00:00:00Z`)
        return /^20\d\d-\d\d-\d\d$/.test(value) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
      }, texts.day),
    ),
  )
}

export const listAuditLog = endpoint({
  method: 'GET',
  path: '/api/admin/registro',
  access: 'administrator',
  query: z.object({
    pessoa: z.optional(line({ max: 50, short: texts.person, long: texts.person })),
    tipo: z.optional(line({ max: 100, short: texts.kind, long: texts.kind })),
    sessao: z.optional(line({ max: 12, short: texts.session, long: texts.session })),
    rede: z.optional(line({ max: 45, short: texts.network, long: texts.network })),
    de: day(),
    ate: day(),
    ...cursorQuery(/^\d{1,15}$/),
  }),
  reply: z.object({ success: z.boolean(), total: z.number(), deeds: z.array(auditEntrySchema), ...cursorReply }),
})

/** Users and actions for the filters of the audit log. */
export const readAuditFilters = endpoint({
  method: 'GET',
  path: '/api/admin/registro/filtros',
  access: 'administrator',
  reply: z.object({ success: z.boolean(), people: z.array(z.string()), kinds: z.array(z.string()) }),
})
