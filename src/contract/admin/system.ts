// System status. A value that could not be read is null.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { endpoint } from '#contract/endpoint.ts'

const { system: texts } = adminMessages

const messageReply = z.object({ success: z.boolean(), message: z.string() })

const statusSchema = z.object({
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
      /** In this version, not yet in the database. */
      pending: z.number(),
      /** In the database, not in this version: another node is newer. */
      unknown: z.number(),
    }),
  ),
  /** Disk with the data folder of this node. */
  disk: z.nullable(z.object({ freeBytes: z.number(), totalBytes: z.number() })),
  deliveries: z.nullable(
    z.object({
      /** False: this node delivers nothing; other nodes do. */
      here: z.boolean(),
      waiting: z.number(),
      oldestSeconds: z.number(),
      parked: z.number(),
      reasons: z.array(z.object({ reason: z.string(), deliveries: z.number() })),
      /** Set if the mail server was unreachable or rejected all e-mails at the last attempt. */
      emailsAway: z.nullable(z.object({ at: z.string(), reason: z.string() })),
      /** First e-mails that wait because more than `perHour` were asked for. */
      heldEmails: z.nullable(z.object({ waiting: z.number(), until: z.string(), perHour: z.number() })),
    }),
  ),
  /** `local`: e-mails are written to files in the data folder. */
  email: z.enum(['smtp', 'local']),
  /** Closed while there is no key to encrypt the data of leaders. */
  leaderForm: z.enum(['open', 'closed']),
  /** Settings that still have sample values, by their name in SITE_FILE or in the environment. */
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
  /** Failures of this node since its start, newest first. */
  failures: z.array(
    z.object({
      message: z.string(),
      error: z.string(),
      route: z.nullable(z.string()),
      times: z.number(),
      lastAt: z.string(),
    }),
  ),
  /** Days after which personal data is erased. Null: never. */
  retention: z.object({
    assinaturas: z.nullable(z.number()),
    voluntarios: z.nullable(z.number()),
    influenciadores: z.nullable(z.number()),
    lideres: z.nullable(z.number()),
    mensagens: z.nullable(z.number()),
  }),
  node: z.object({
    version: z.string(),
    runtime: z.string(),
    since: z.string(),
    memoryBytes: z.number(),
    /** Event loop delay over the last seconds. */
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

const deadDeliverySchema = z.object({
  id: z.number(),
  tipo: z.string(),
  reason: z.string(),
  tries: z.number(),
  createdAt: z.string(),
})

/** Only the newest are listed. When there are more, they share few reasons and can be resent together. */
export const maxDeadShown = 100

export const listDeadDeliveries = endpoint({
  method: 'GET',
  path: '/api/admin/sistema/entregas',
  access: 'administrator',
  reply: z.object({ success: z.boolean(), deliveries: z.array(deadDeliverySchema) }),
})

export const resendDelivery = endpoint({
  method: 'POST',
  path: '/api/admin/sistema/entregas/:id/reenviar',
  access: 'administrator',
  auditAction: 'Reenviou entrega parada',
  status: 200,
  params: z.object({
    id: z.pipe(z.string().check(z.regex(/^\d{1,15}$/, texts.notDead)), z.transform(Number)),
  }),
  reply: messageReply,
})

export const resendEverything = endpoint({
  method: 'POST',
  path: '/api/admin/sistema/entregas/reenviar',
  access: 'administrator',
  auditAction: 'Reenviou todas as entregas paradas',
  status: 200,
  reply: messageReply,
})

const emailSchema = z.object({ id: z.string(), to: z.string(), subject: z.string(), sentAt: z.string() })

export type LocalEmail = z.output<typeof emailSchema>

/** Newest e-mails in the data folder of this node. */
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
  auditAction: 'Abriu e-mail da caixa local',
  params: z.object({ id: z.string().check(z.regex(/^[\w.-]{1,80}$/, texts.noEmail)) }),
  reply: z.object({
    success: z.boolean(),
    email: z.extend(emailSchema, { text: z.string(), html: z.string() }),
  }),
})
