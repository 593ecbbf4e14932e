// How the system is doing: what it can tell about itself, and nothing else. What could not be found out is null.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { endpoint } from '#contract/endpoint.ts'

const { system: sentences } = adminMessages

const sentence = z.object({ success: z.boolean(), message: z.string() })

export const statusSchema = z.object({
  success: z.boolean(),
  at: z.string(),
  database: z.nullable(
    z.object({
      engine: z.enum(['embedded', 'postgres']),
      version: z.string(),
      answerMs: z.number(),
      sizeBytes: z.number(),
    }),
  ),
  migrations: z.nullable(
    z.object({
      applied: z.number(),
      /** Of this version, not yet in the database. */
      pending: z.number(),
      /** In the database and not of this version: another node is newer. */
      unknown: z.number(),
    }),
  ),
  /** Of the folder in which this node keeps its files. */
  disk: z.nullable(z.object({ freeBytes: z.number(), totalBytes: z.number() })),
  deliveries: z.nullable(
    z.object({
      /** Off: this node leaves them to others. */
      here: z.boolean(),
      waiting: z.number(),
      oldestSeconds: z.number(),
      parked: z.number(),
      reasons: z.array(z.object({ reason: z.string(), deliveries: z.number() })),
      /** The server of e-mails was not there, or would have none of ours, when it was last tried. */
      emailsAway: z.nullable(z.object({ at: z.string(), reason: z.string() })),
    }),
  ),
  /** By a server, or into files of the data folder. */
  email: z.enum(['smtp', 'local']),
  /** Closed while there is no key to encrypt what leaders send. */
  leaderForm: z.enum(['open', 'closed']),
  /** Settings that still hold sample values, by their name in SITE_FILE or in the environment. */
  sampleSettings: z.array(z.object({ key: z.string(), value: z.string() })),
  spreadsheet: z.nullable(
    z.object({
      kind: z.enum(['google', 'csv']),
      address: z.string(),
      waiting: z.number(),
      lastSuccess: z.nullable(z.string()),
      lastFailure: z.nullable(z.object({ at: z.string(), reason: z.string() })),
      failing: z.boolean(),
    }),
  ),
  /** Of this node since it started, the latest first. */
  failures: z.array(
    z.object({
      message: z.string(),
      error: z.string(),
      route: z.nullable(z.string()),
      times: z.number(),
      lastAt: z.string(),
    }),
  ),
  node: z.object({
    version: z.string(),
    runtime: z.string(),
    since: z.string(),
    memoryBytes: z.number(),
    /** How late this node got to its work, over the last seconds. */
    delay: z.object({ p99Ms: z.number(), maxMs: z.number(), seconds: z.number() }),
  }),
})

export type SystemStatus = z.output<typeof statusSchema>

export const readStatus = endpoint({
  method: 'GET',
  path: '/api/admin/sistema',
  access: 'administrator',
  reply: statusSchema,
})

const parkedSchema = z.object({
  id: z.number(),
  tipo: z.string(),
  reason: z.string(),
  tries: z.number(),
  createdAt: z.string(),
})

export type ParkedDelivery = z.output<typeof parkedSchema>

/** The latest; more than this many of them share few reasons, and can be sent again together. */
export const parkedShown = 100

export const listParked = endpoint({
  method: 'GET',
  path: '/api/admin/sistema/entregas',
  access: 'administrator',
  reply: z.object({ success: z.boolean(), deliveries: z.array(parkedSchema) }),
})

export const resendDelivery = endpoint({
  method: 'POST',
  path: '/api/admin/sistema/entregas/:id/reenviar',
  access: 'administrator',
  deed: 'Reenviou entrega parada',
  status: 200,
  params: z.object({
    id: z.pipe(z.string().check(z.regex(/^\d{1,15}$/, sentences.notParked)), z.transform(Number)),
  }),
  reply: sentence,
})

export const resendEverything = endpoint({
  method: 'POST',
  path: '/api/admin/sistema/entregas/reenviar',
  access: 'administrator',
  deed: 'Reenviou todas as entregas paradas',
  status: 200,
  reply: sentence,
})

const emailSchema = z.object({ id: z.string(), to: z.string(), subject: z.string(), sentAt: z.string() })

export type LocalEmail = z.output<typeof emailSchema>

/** E-mails that were written into this node's data folder, the latest. */
export const listLocalEmails = endpoint({
  method: 'GET',
  path: '/api/admin/sistema/emails',
  access: 'administrator',
  reply: z.object({ success: z.boolean(), emails: z.array(emailSchema) }),
})

export const readLocalEmail = endpoint({
  method: 'GET',
  path: '/api/admin/sistema/emails/:id',
  access: 'administrator',
  deed: 'Abriu e-mail da caixa local',
  params: z.object({ id: z.string().check(z.regex(/^[\w.-]{1,80}$/, sentences.noEmail)) }),
  reply: z.object({
    success: z.boolean(),
    email: z.extend(emailSchema, { text: z.string(), html: z.string() }),
  }),
})
