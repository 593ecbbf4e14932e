// The chatbot's conversations as administrators see them.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { cursorQuery, cursorReply } from '#contract/admin/paging.ts'
import { conversationStatus } from '#contract/conversation-status.ts'
import { endpoint } from '#contract/endpoint.ts'
import { line } from '#contract/fields.ts'

const { conversations: sentences, list } = adminMessages

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
  /** When something was last said. */
  ultimaEm: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
}

const conversation = z.object(summary)
export type Conversation = z.output<typeof conversation>

/** One call of the chatbot: what the person said, what it answered, or both. */
const message = z.object({
  id: z.number(),
  mensagem: z.nullable(z.string()),
  respostaBot: z.nullable(z.string()),
  midiaUrl: z.nullable(z.string()),
  quando: z.string(),
})
export type ConversationMessage = z.output<typeof message>

/** A whole number of the query; without it, or empty, `otherwise`. */
function wholeNumber({ min, max, otherwise, wrong }: { min: number; max: number; otherwise: number; wrong: string }) {
  return z.pipe(
    z.transform((text: unknown) =>
      text === undefined || text === '' ? otherwise : /^\d{1,9}$/.test(String(text)) ? Number(text) : -1,
    ),
    z.number().check(z.minimum(min, wrong), z.maximum(max, wrong)),
  )
}

const limite = (otherwise: number) => wholeNumber({ min: 1, max: 100, otherwise, wrong: sentences.limit })
const numbered = z.pipe(z.string().check(z.regex(/^\d{1,15}$/, sentences.notFound)), z.transform(Number))
const oneConversation = z.object({ id: numbered })

export const listConversations = endpoint({
  method: 'GET',
  path: '/api/admin/botconversa',
  access: 'administrator',
  query: z.object({
    limite: limite(20),
    offset: wholeNumber({ min: 0, max: 10_000_000, otherwise: 0, wrong: list.page }),
    /** In place of an offset: the microsecond at which something was last said, and the number of the conversation. */
    ...cursorQuery(/^\d{1,16}-\d{1,15}$/),
    status: z.pipe(
      z.transform((status) => (status === '' || status === 'all' ? undefined : status)),
      z.optional(conversationStatus),
    ),
    busca: z.optional(line({ max: 200, short: sentences.search, long: sentences.search })),
  }),
  reply: z.object({
    success: z.boolean(),
    conversas: z.array(conversation),
    total: z.number(),
    /** A search so wide that there are more than `total`. */
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
  params: oneConversation,
  reply: z.object({
    success: z.boolean(),
    /** With where the chatbot's own page shows it, if that is known. */
    conversa: z.object({ ...summary, liveChat: z.nullable(z.string()) }),
  }),
})

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/admin/botconversa/:id/mensagens',
  access: 'administrator',
  params: oneConversation,
  /** `antes`: those said before that message. */
  query: z.object({
    limite: limite(50),
    antes: z.optional(z.pipe(z.string().check(z.regex(/^\d{1,15}$/, list.page)), z.transform(Number))),
  }),
  /** Newest first; `anteriores` when there are older ones. */
  reply: z.object({ success: z.boolean(), mensagens: z.array(message), anteriores: z.boolean() }),
})

export const changeConversationStatus = endpoint({
  method: 'PATCH',
  path: '/api/admin/botconversa/:id',
  access: 'administrator',
  deed: 'Mudou o status de uma conversa',
  params: oneConversation,
  body: z.object({ status: conversationStatus }),
  reply: z.object({ success: z.boolean(), message: z.string(), status: conversationStatus }),
})

/** With everything that was said in it: people may ask for that. */
export const removeConversation = endpoint({
  method: 'DELETE',
  path: '/api/admin/botconversa/:id',
  access: 'administrator',
  deed: 'Apagou uma conversa',
  params: oneConversation,
  reply: z.object({ success: z.boolean(), message: z.string() }),
})

/** How to set the chatbot up, but for the secret. */
export const readWebhookHint = endpoint({
  method: 'GET',
  path: '/api/admin/botconversa/webhook',
  access: 'administrator',
  reply: z.object({
    success: z.boolean(),
    endereco: z.string(),
    cabecalho: z.string(),
    exemplo: z.string(),
    /** False while the webhook refuses everybody. */
    configurado: z.boolean(),
  }),
})

export const revealWebhookToken = endpoint({
  method: 'GET',
  path: '/api/admin/botconversa/webhook/token',
  access: 'administrator',
  deed: 'Viu o segredo do webhook',
  reply: z.object({ success: z.boolean(), token: z.string() }),
})
