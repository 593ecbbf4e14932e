import type { Conversation } from '#contract/admin/conversations.ts'

export function conversationName({ nome, whatsapp, email, subscriberId }: Conversation): string {
  return nome ?? whatsapp ?? email ?? `Assinante ${subscriberId}`
}
