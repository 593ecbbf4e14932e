import { type ConversationStatus, statusNames } from '#contract/conversation-status.ts'

const tones: Record<ConversationStatus, string> = { active: 'badge-good', completed: '', blocked: 'badge-bad' }

/** The text states the status; the colour is only an addition. */
export function StatusBadge({ status }: { status: ConversationStatus }) {
  return <span className={`badge ${tones[status]}`}>{statusNames[status]}</span>
}
