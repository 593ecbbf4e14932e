// Calls the webhook of a test site as the chatbot does.
import { aChatbotCall } from '#tests/helpers/factories.ts'
import { asJson } from '#tests/helpers/forms.ts'
import type { TestSite } from '#tests/helpers/test-site.ts'

export const webhookSecret = 'segredo-de-teste-do-robo'
export const webhookPath = '/api/webhook/botconversa'

export function callWebhook(
  { url }: Pick<TestSite, 'url'>,
  call: object | string,
  headers: Record<string, string> = {},
) {
  return fetch(url + webhookPath, {
    method: 'POST',
    headers: { ...asJson, 'x-webhook-token': webhookSecret, ...headers },
    body: typeof call === 'string' ? call : JSON.stringify(call),
  })
}

export interface ChatbotLoad {
  /** Ids of the subscribers whose message was acknowledged. */
  acknowledged: Set<string>
  statuses: Set<number>
  stop(): Promise<void>
}

/** Keeps sending messages, each once, whatever happens to the database. */
export function startChatbotLoad(site: Pick<TestSite, 'url'>, clients = 4): ChatbotLoad {
  const acknowledged = new Set<string>()
  const statuses = new Set<number>()
  let stopping = false
  async function sendCalls(): Promise<void> {
    while (!stopping) {
      const call = aChatbotCall()
      const { status } = await callWebhook(site, call)
      statuses.add(status)
      if (status === 200) acknowledged.add(String(call.subscriber_id))
    }
  }
  const all = Promise.all(Array.from({ length: clients }, sendCalls))
  return {
    acknowledged,
    statuses,
    async stop() {
      stopping = true
      await all
    },
  }
}
