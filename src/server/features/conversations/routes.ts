// The webhook of the chatbot, and the routes that manage its conversations.
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
import { receiveChatbotCall } from '#contract/conversations.ts'
import { nationalNumber } from '#contract/phone.ts'
import type { Site } from '#contract/site.ts'
import { AppError } from '#server/core/errors.ts'
import type { Deps } from '#server/deps.ts'
import { createChatbot } from '#server/features/conversations/chatbot.ts'
import { createConversations } from '#server/features/conversations/conversations.ts'
import { type App, mountForAdministrators, mountForWebhook } from '#server/http/mount.ts'

const { conversations: texts } = adminMessages

/** Example for the settings of the chatbot, with the names of its variables. */
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

export function registerConversations(app: App, { config, site, database, metrics }: Deps) {
  const chatbot = createChatbot({ database, metrics })
  const conversations = createConversations(database)
  const secret = config.botconversaWebhookToken

  mountForWebhook(app, receiveChatbotCall, {
    secret,
    async handle(call) {
      await chatbot.record(call)
      return { success: true, message: texts.received }
    },
  })

  mountForAdministrators(app, listConversations, async (_, { query: { status, busca, ...page }, auditRead }) => {
    const names = Object.entries({ busca, status }).flatMap(([name, value]) => (value ? [name] : []))
    if (names.length > 0) await auditRead(names.join(', '))
    return { success: true, ...(await conversations.list({ status, busca }, page)) }
  })

  mountForAdministrators(app, readConversationStats, async () => ({ success: true, ...(await conversations.stats()) }))

  mountForAdministrators(app, readConversation, async (_, { params: { id }, auditRead }) => {
    const conversa = await conversations.read(id)
    await auditRead(`Conversa ${id}`)
    return { success: true, conversa: { ...conversa, liveChat: liveChatOf(conversa.whatsapp, await site.current()) } }
  })

  mountForAdministrators(app, listMessages, async (_, { params: { id }, query, auditRead }) => {
    const history = await conversations.history(id, query)
    await auditRead(`Conversa ${id}`)
    return { success: true, ...history }
  })

  mountForAdministrators(app, changeConversationStatus, async ({ status }, { params: { id }, audit }) => {
    await conversations.changeStatus(id, status, audit)
    return { success: true, message: texts.statusChanged, status }
  })

  mountForAdministrators(app, removeConversation, async (_, { params: { id }, audit }) => {
    await conversations.remove(id, audit)
    return { success: true, message: texts.removed }
  })

  mountForAdministrators(app, readWebhookHint, async () => ({
    success: true,
    endereco: config.publicUrl + receiveChatbotCall.path,
    cabecalho: 'X-Webhook-Token',
    exemplo: JSON.stringify(exampleBody, null, 2),
    configurado: secret !== undefined,
  }))

  mountForAdministrators(app, revealWebhookToken, async () => {
    if (secret === undefined) throw new AppError('not-found', texts.noSecret)
    return { success: true, token: secret }
  })
  return { conversations }
}

/** The address of the conversation in the chatbot's own web interface. */
function liveChatOf(whatsapp: string | null, { botconversa }: Site): string | null {
  const number = whatsapp === null ? undefined : nationalNumber(whatsapp)
  return botconversa && number
    ? `https://app.botconversa.com.br/${botconversa.empresa}/live-chat/all/+55${number}`
    : null
}
