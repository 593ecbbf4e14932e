// Bounces and complaints that an e-mail provider reports.
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'

export const emailWebhookMessages = {
  received: 'Recebido.',
  signature: 'A assinatura do pedido não confere.',
  json: 'O corpo do pedido não é um JSON válido.',
  email: 'Informe o e-mail em cada item.',
} as const

/**
 * Bodies of Resend, of Mailgun, and our own: `{"tipo": "devolucao" | "reclamacao", "email": "…"}` or a list of these.
 * Other events are answered with success and ignored.
 */
export const receiveEmailEvents = endpoint({
  method: 'POST',
  path: '/api/webhook/emails',
  access: 'signed',
  status: 200,
  body: z.unknown(),
  reply: z.object({ success: z.boolean(), message: z.string() }),
})
