// The chatbot's webhook, and its conversations for administrators.
import {
  changeConversationStatus,
  listConversations,
  listMessages,
  readConversation,
  readConversationStats,
  readWebhookHint,
  removeConversation,
  revealWebhookToken,
} from '#contract/admin/conversations.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { tellConversation } from '#contract/conversations.ts'
import type { Site } from '#contract/site.ts'
import type { Config } from '#server/core/config.ts'
import { AppError } from '#server/core/errors.ts'
import { nationalNumber } from '#server/core/phone.ts'
import type { Chatbot } from '#server/features/conversations/chatbot.ts'
import type { Inbox } from '#server/features/conversations/inbox.ts'
import { type App, mountForAdministrators, mountForWebhook } from '#server/http/mount.ts'

const { conversations: sentences } = adminMessages

/** To be typed into the chatbot, with the names of its variables. */
const exampleBody = {
  subscriber_id: '{{id}}',
  nome: '{{nome-completo}}',
  telefone: '{{telefone}}',
  email: '{{email}}',
  mensagem: '{{ultima-mensagem}}',
  resposta: 'Texto que o robô respondeu',
  tags: '{{tags}}',
  campos: { cidade: '{{cidade}}' },
}

export interface ConversationServices {
  chatbot: Chatbot
  inbox: Inbox
}

export interface ConversationSettings {
  config: Config
  site: Site
}

export function conversationRoutes(app: App, { chatbot, inbox }: ConversationServices, settings: ConversationSettings) {
  const { config, site } = settings
  const secret = config.botconversaWebhookToken

  mountForWebhook(app, tellConversation, {
    secret,
    async handle(call) {
      await chatbot.take(call)
      return { success: true, message: sentences.received }
    },
  })

  mountForAdministrators(app, listConversations, async (_, { query: { status, busca, ...page } }) => ({
    success: true,
    ...(await inbox.list({ status, busca }, page)),
  }))

  mountForAdministrators(app, readConversationStats, async () => ({ success: true, ...(await inbox.stats()) }))

  mountForAdministrators(app, readConversation, async (_, { params: { id } }) => {
    const conversa = await inbox.read(id)
    return { success: true, conversa: { ...conversa, liveChat: liveChatOf(conversa.whatsapp, site) } }
  })

  mountForAdministrators(app, listMessages, async (_, { params: { id }, query }) => ({
    success: true,
    ...(await inbox.history(id, query)),
  }))

  mountForAdministrators(app, changeConversationStatus, async ({ status }, { params: { id }, audit }) => {
    await inbox.changeStatus(id, status, audit)
    return { success: true, message: sentences.statusChanged, status }
  })

  mountForAdministrators(app, removeConversation, async (_, { params: { id }, audit }) => {
    await inbox.remove(id, audit)
    return { success: true, message: sentences.removed }
  })

  mountForAdministrators(app, readWebhookHint, async () => ({
    success: true,
    endereco: config.publicUrl + tellConversation.path,
    cabecalho: 'X-Webhook-Token',
    exemplo: JSON.stringify(exampleBody, null, 2),
    configurado: secret !== undefined,
  }))

  mountForAdministrators(app, revealWebhookToken, async () => {
    if (secret === undefined) throw new AppError('not-found', sentences.noSecret)
    return { success: true, token: secret }
  })
}

/** Where the chatbot's own page shows a conversation. */
function liveChatOf(whatsapp: string | null, { botconversa }: Site): string | null {
  const number = whatsapp === null ? undefined : nationalNumber(whatsapp)
  return botconversa && number
    ? `https://app.botconversa.com.br/${botconversa.empresa}/live-chat/all/+55${number}`
    : null
}
