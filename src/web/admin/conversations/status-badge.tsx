// The status of a conversation, told by its word; the colour only helps.
import type { ConversationStatus } from '#contract/conversation-status.ts'
import { statusNames } from '#web/admin/conversations/words.ts'

const tones: Record<ConversationStatus, string> = { active: 'badge-good', completed: '', blocked: 'badge-bad' }

export function StatusBadge({ status }: { status: ConversationStatus }) {
  return <span className={`badge ${tones[status]}`}>{statusNames[status]}</span>
}
