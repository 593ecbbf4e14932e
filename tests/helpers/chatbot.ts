// The chatbot as it calls a test site.
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
