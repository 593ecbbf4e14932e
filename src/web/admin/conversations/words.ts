// What the screens call a conversation and the person in it.
import type { Conversation } from '#contract/admin/conversations.ts'
import type { ConversationStatus } from '#contract/conversation-status.ts'

export const statusNames: Record<ConversationStatus, string> = {
  active: 'Ativa',
  completed: 'Concluída',
  blocked: 'Bloqueada',
}

export function nameOf({ nome, whatsapp, email, subscriberId }: Conversation): string {
  return nome ?? whatsapp ?? email ?? `Assinante ${subscriberId}`
}
