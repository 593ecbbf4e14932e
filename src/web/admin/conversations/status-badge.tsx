// The status of a conversation, told by its word; the colour only helps.
import { type ConversationStatus, statusNames } from '#contract/conversation-status.ts'

const tones: Record<ConversationStatus, string> = { active: 'badge-good', completed: '', blocked: 'badge-bad' }

export function StatusBadge({ status }: { status: ConversationStatus }) {
  return <span className={`badge ${tones[status]}`}>{statusNames[status]}</span>
}
