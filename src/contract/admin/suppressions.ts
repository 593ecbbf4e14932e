// Addresses that get no e-mail because a mail server rejected them or their owner complained.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { cursorQuery, cursorReply } from '#contract/admin/paging.ts'
import { filter } from '#contract/admin/people.ts'
import { endpoint } from '#contract/endpoint.ts'
import { unstorable } from '#contract/fields.ts'

const { suppressions: texts } = adminMessages

export const suppressionKinds = {
  recusa: 'recusado pelo servidor de e-mail',
  devolucao: 'devolvido pelo provedor',
  reclamacao: 'marcado como spam',
} as const
export type SuppressionKind = keyof typeof suppressionKinds

const suppression = z.object({
  /** The digest of the address, in base64url. */
  id: z.string(),
  /** Null: suppressed before addresses were stored, or the person was erased. */
  email: z.nullable(z.string()),
  tipo: z.nullable(z.enum(Object.keys(suppressionKinds) as SuppressionKind[])),
  detalhe: z.nullable(z.string()),
  desde: z.string(),
})
export type Suppression = z.output<typeof suppression>

export const suppressionsPerPage = 25

/** The latest first. */
export const listSuppressions = endpoint({
  method: 'GET',
  path: '/api/admin/enderecos-suspensos',
  access: 'administrator',
  readAction: 'Buscou endereços suspensos',
  query: z.object({
    ...cursorQuery(/^[\w.:-]{1,100}$/),
    busca: filter(
      z.string(texts.search).check(
        z.trim(),
        z.maxLength(254, texts.search),
        z.refine((value) => !unstorable.test(value), texts.search),
      ),
    ),
  }),
  reply: z.object({ success: z.boolean(), enderecos: z.array(suppression), total: z.number(), ...cursorReply }),
})

/** The address may get e-mails again. */
export const removeSuppression = endpoint({
  method: 'DELETE',
  path: '/api/admin/enderecos-suspensos/:id',
  access: 'administrator',
  auditAction: 'Tirou um endereço da lista de suspensos',
  params: z.object({ id: z.string().check(z.regex(/^[\w-]{43}$/, texts.notFound)) }),
  reply: z.object({ success: z.boolean(), message: z.string() }),
})
