// Webhook of the chatbot. Operators type its JSON by hand, so field names are read leniently (`chatbot-payload.ts`).
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { customFieldsFit, normalizeChatbotCall } from '#contract/chatbot-payload.ts'
import { conversationStatus } from '#contract/conversation-status.ts'
import { endpoint } from '#contract/endpoint.ts'
import { email, line, optionalLine } from '#contract/fields.ts'
import { optionalText } from '#contract/longer-form-fields.ts'
import { messages } from '#contract/messages.ts'

const { conversations: texts } = adminMessages
const { fields } = messages

const toNull = (value: unknown) => value ?? null

// An unsafe integer has lost its last digits: two people could share one conversation.
const subscriberId = z.pipe(
  z.unknown().check(z.refine((id) => typeof id !== 'number' || Number.isSafeInteger(id), texts.subscriberNumber)),
  z.pipe(
    z.transform((id) => (typeof id === 'number' ? String(id) : (id ?? ''))),
    line({ min: 1, max: 100, short: texts.subscriberId, long: texts.subscriberLong }),
  ),
)

const messageText = () => optionalText({ max: 10_000, long: fields.textoLongo })

const chatbotCallSchema = z.pipe(
  z.transform(normalizeChatbotCall),
  z.object({
    subscriberId,
    eventId: optionalLine({ max: 200, long: texts.eventLong }),
    nome: optionalLine({ max: 200, long: fields.nomeLongo }),
    email: z.pipe(z.transform(toNull), z.nullable(email())),
    whatsapp: optionalLine({ max: 25, long: fields.whatsappLongo }),
    mensagem: messageText(),
    respostaBot: messageText(),
    midiaUrl: optionalLine({ max: 2_000, long: fields.textoLongo }),
    tags: z
      .array(line({ max: 100, short: texts.tags, long: texts.tags }), texts.tags)
      .check(z.maxLength(50, texts.tags)),
    customFields: z
      .record(z.string(), z.unknown(), texts.customFields)
      .check(z.refine(customFieldsFit, texts.customFields)),
    status: z.pipe(z.transform(toNull), z.nullable(conversationStatus)),
    origem: optionalLine({ max: 50, long: texts.originLong }),
    /** Time of the message, by the sender's clock. */
    quando: z.nullable(z.date()),
  }),
)

export type ChatbotCall = z.output<typeof chatbotCallSchema>

export const receiveChatbotCall = endpoint({
  method: 'POST',
  path: '/api/webhook/botconversa',
  access: 'webhook',
  status: 200,
  body: chatbotCallSchema,
  reply: z.object({ success: z.boolean(), message: z.string() }),
})
