// What the screens call a conversation and the person in it.
import type { Conversation } from '#contract/admin/conversations.ts'

export function nameOf({ nome, whatsapp, email, subscriberId }: Conversation): string {
  return nome ?? whatsapp ?? email ?? `Assinante ${subscriberId}`
}
