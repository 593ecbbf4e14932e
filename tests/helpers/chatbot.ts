// The chatbot as it calls a test site.
import { aChatbotCall } from '#tests/helpers/factories.ts'
import { asJson } from '#tests/helpers/forms.ts'
import type { TestSite } from '#tests/helpers/test-site.ts'

export const webhookSecret = 'segredo-de-teste-do-robo'
export const webhookPath = '/api/webhook/botconversa'

export function tell({ url }: Pick<TestSite, 'url'>, call: object | string, headers: Record<string, string> = {}) {
  return fetch(url + webhookPath, {
    method: 'POST',
    headers: { ...asJson, 'x-webhook-token': webhookSecret, ...headers },
    body: typeof call === 'string' ? call : JSON.stringify(call),
  })
}

export interface Talk {
  /** Who was told that the message is stored. */
  acknowledged: Set<string>
  statuses: Set<number>
  stop(): Promise<void>
}

/** Conversations that go on whatever happens to the database, each message once. */
export function startTalk(site: Pick<TestSite, 'url'>, voices = 4): Talk {
  const acknowledged = new Set<string>()
  const statuses = new Set<number>()
  let stopping = false
  async function speak(): Promise<void> {
    while (!stopping) {
      const call = aChatbotCall()
      const { status } = await tell(site, call)
      statuses.add(status)
      if (status === 200) acknowledged.add(String(call.subscriber_id))
    }
  }
  const all = Promise.all(Array.from({ length: voices }, speak))
  return {
    acknowledged,
    statuses,
    async stop() {
      stopping = true
      await all
    },
  }
}
