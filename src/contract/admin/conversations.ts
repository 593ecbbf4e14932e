// The chatbot's conversations as administrators see them.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { cursorQuery, cursorReply } from '#contract/admin/paging.ts'
import { conversationStatus } from '#contract/conversation-status.ts'
import { endpoint } from '#contract/endpoint.ts'
import { line } from '#contract/fields.ts'

const { conversations: texts, list } = adminMessages

const summary = {
  id: z.number(),
  subscriberId: z.string(),
  nome: z.nullable(z.string()),
  email: z.nullable(z.string()),
  whatsapp: z.nullable(z.string()),
  mensagem: z.nullable(z.string()),
  respostaBot: z.nullable(z.string()),
  tags: z.array(z.string()),
  customFields: z.record(z.string(), z.unknown()),
  status: conversationStatus,
  origem: z.string(),
  /** Time of the last message. */
  ultimaEm: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
}

const conversation = z.object(summary)
export type Conversation = z.output<typeof conversation>

/** One call of the chatbot: the person's message, the chatbot's reply, or both. */
const message = z.object({
  id: z.number(),
  mensagem: z.nullable(z.string()),
  respostaBot: z.nullable(z.string()),
  midiaUrl: z.nullable(z.string()),
  quando: z.string(),
})
export type ConversationMessage = z.output<typeof message>

/** A whole number in the query; `fallback` if it is absent or empty. */
function wholeNumber({ min, max, fallback, error }: { min: number; max: number; fallback: number; error: string }) {
  return z.pipe(
    z.transform((text: unknown) =>
      text === undefined || text === '' ? fallback : /^\d{1,9}$/.test(String(text)) ? Number(text) : -1,
    ),
    z.number().check(z.minimum(min, error), z.maximum(max, error)),
  )
}

const limite = (fallback: number) => wholeNumber({ min: 1, max: 100, fallback, error: texts.limit })
const numericId = z.pipe(z.string().check(z.regex(/^\d{1,15}$/, texts.notFound)), z.transform(Number))
const idParams = z.object({ id: numericId })

export const listConversations = endpoint({
  method: 'GET',
  path: '/api/admin/botconversa',
  access: 'administrator',
  readAction: 'Buscou conversas',
  query: z.object({
    limite: limite(20),
    offset: wholeNumber({ min: 0, max: 10_000_000, fallback: 0, error: list.page }),
    /** Instead of an offset: time of the last message in microseconds, and id of the conversation. */
    ...cursorQuery(/^\d{1,16}-\d{1,15}$/),
    status: z.pipe(
      z.transform((status) => (status === '' || status === 'all' ? undefined : status)),
      z.optional(conversationStatus),
    ),
    busca: z.optional(line({ max: 200, short: texts.search, long: texts.search })),
  }),
  reply: z.object({
    success: z.boolean(),
    conversas: z.array(conversation),
    total: z.number(),
    /** The search found more than `total`. */
    haMais: z.boolean(),
    ...cursorReply,
  }),
})

export const readConversationStats = endpoint({
  method: 'GET',
  path: '/api/admin/botconversa/stats',
  access: 'administrator',
  reply: z.object({
    success: z.boolean(),
    total: z.number(),
    hoje: z.number(),
    comEmail: z.number(),
    comWhatsApp: z.number(),
  }),
})

export const readConversation = endpoint({
  method: 'GET',
  path: '/api/admin/botconversa/:id',
  access: 'administrator',
  readAction: 'Viu uma conversa',
  params: idParams,
  reply: z.object({
    success: z.boolean(),
    /** `liveChat`: URL of the conversation on the chatbot's own site, if known. */
    conversa: z.object({ ...summary, liveChat: z.nullable(z.string()) }),
  }),
})

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/admin/botconversa/:id/mensagens',
  access: 'administrator',
  readAction: 'Viu uma conversa',
  params: idParams,
  /** `antes`: id of a message; returns the messages before it. */
  query: z.object({
    limite: limite(50),
    antes: z.optional(z.pipe(z.string().check(z.regex(/^\d{1,15}$/, list.page)), z.transform(Number))),
  }),
  /** Newest first. `anteriores`: there are older messages. */
  reply: z.object({ success: z.boolean(), mensagens: z.array(message), anteriores: z.boolean() }),
})

export const changeConversationStatus = endpoint({
  method: 'PATCH',
  path: '/api/admin/botconversa/:id',
  access: 'administrator',
  auditAction: 'Mudou o status de uma conversa',
  params: idParams,
  body: z.object({ status: conversationStatus }),
  reply: z.object({ success: z.boolean(), message: z.string(), status: conversationStatus }),
})

/** Deletes its messages too: people may request that. */
export const removeConversation = endpoint({
  method: 'DELETE',
  path: '/api/admin/botconversa/:id',
  access: 'administrator',
  recentLogin: true,
  auditAction: 'Apagou uma conversa',
  params: idParams,
  reply: z.object({ success: z.boolean(), message: z.string() }),
})

/** Setup of the chatbot, without the secret. */
export const readWebhookHint = endpoint({
  method: 'GET',
  path: '/api/admin/botconversa/webhook',
  access: 'administrator',
  reply: z.object({
    success: z.boolean(),
    endereco: z.string(),
    cabecalho: z.string(),
    exemplo: z.string(),
    /** False while there is no secret and the webhook rejects every call. */
    configurado: z.boolean(),
  }),
})

export const revealWebhookToken = endpoint({
  method: 'GET',
  path: '/api/admin/botconversa/webhook/token',
  access: 'administrator',
  recentLogin: true,
  auditAction: 'Viu o segredo do webhook',
  reply: z.object({ success: z.boolean(), token: z.string() }),
})
