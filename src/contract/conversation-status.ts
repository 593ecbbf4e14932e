import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'

export const conversationStatuses = ['active', 'completed', 'blocked'] as const
export type ConversationStatus = (typeof conversationStatuses)[number]

export const statusNames: Record<ConversationStatus, string> = {
  active: 'Ativa',
  completed: 'Concluída',
  blocked: 'Bloqueada',
}

export const conversationStatus = z.enum(conversationStatuses, adminMessages.conversations.status)
