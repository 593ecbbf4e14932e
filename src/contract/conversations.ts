// What a chatbot tells about a conversation. Who sets it up types the JSON by hand, so names are read leniently (`chatbot-names.ts`).
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { customFieldsFit, inOurNames } from '#contract/chatbot-names.ts'
import { conversationStatus } from '#contract/conversation-status.ts'
import { endpoint } from '#contract/endpoint.ts'
import { email, line, optionalLine } from '#contract/fields.ts'
import { optionalText } from '#contract/longer-form-fields.ts'
import { messages } from '#contract/messages.ts'

const { conversations: sentences } = adminMessages
const { fields } = messages

const missing = (value: unknown) => value ?? null

// A number that lost its last digits on the way would make one conversation of two people's.
const subscriberId = z.pipe(
  z.unknown().check(z.refine((id) => typeof id !== 'number' || Number.isSafeInteger(id), sentences.subscriberNumber)),
  z.pipe(
    z.transform((id) => (typeof id === 'number' ? String(id) : (id ?? ''))),
    line({ min: 1, max: 100, short: sentences.subscriberId, long: sentences.subscriberLong }),
  ),
)

const said = () => optionalText({ max: 10_000, long: fields.textoLongo })

export const chatbotCallSchema = z.pipe(
  z.transform(inOurNames),
  z.object({
    subscriberId,
    eventId: optionalLine({ max: 200, long: sentences.eventLong }),
    nome: optionalLine({ max: 200, long: fields.nomeLongo }),
    email: z.pipe(z.transform(missing), z.nullable(email())),
    whatsapp: optionalLine({ max: 25, long: fields.whatsappLongo }),
    mensagem: said(),
    respostaBot: said(),
    midiaUrl: optionalLine({ max: 2_000, long: fields.textoLongo }),
    tags: z
      .array(line({ max: 100, short: sentences.tags, long: sentences.tags }), sentences.tags)
      .check(z.maxLength(50, sentences.tags)),
    customFields: z
      .record(z.string(), z.unknown(), sentences.customFields)
      .check(z.refine(customFieldsFit, sentences.customFields)),
    status: z.pipe(z.transform(missing), z.nullable(conversationStatus)),
    origem: optionalLine({ max: 50, long: sentences.originLong }),
    /** When it was said, by the sender's clock. */
    quando: z.nullable(z.date()),
  }),
)

export type ChatbotCall = z.output<typeof chatbotCallSchema>

export const tellConversation = endpoint({
  method: 'POST',
  path: '/api/webhook/botconversa',
  access: 'webhook',
  status: 200,
  body: chatbotCallSchema,
  reply: z.object({ success: z.boolean(), message: z.string() }),
})
