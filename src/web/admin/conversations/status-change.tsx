// Where a conversation stands, and setting it elsewhere.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Conversation, changeConversationStatus, type readConversation } from '#contract/admin/conversations.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { type ConversationStatus, conversationStatuses, statusNames } from '#contract/conversation-status.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { callAdmin, sentenceOf } from '#web/admin/api.ts'
import { showToast } from '#web/admin/ui/toast.ts'

const { conversations: sentences } = adminMessages

export function StatusChange({ conversation }: { conversation: Conversation }) {
  const client = useQueryClient()
  const id = String(conversation.id)
  const change = useMutation({
    mutationFn: (status: ConversationStatus) =>
      callAdmin(changeConversationStatus, { params: { id }, body: { status } }),
    onSuccess({ message, status }) {
      client.setQueryData<ReplyOf<typeof readConversation>>(
        ['conversas', id],
        (known) => known && { ...known, conversa: { ...known.conversa, status } },
      )
      for (const list of ['lista', 'agora']) void client.invalidateQueries({ queryKey: ['conversas', list] })
      showToast({ title: 'Sucesso!', text: message, tone: 'success' })
    },
    onError: (error) => showToast({ title: 'Erro', text: sentenceOf(error, sentences.statusFailed), tone: 'error' }),
  })
  return (
    <fieldset className="status-change">
      <legend>Status</legend>
      <div className="actions">
        {conversationStatuses.map((status) => (
          <button
            key={status}
            type="button"
            className="button small"
            aria-pressed={status === conversation.status}
            disabled={change.isPending}
            onClick={() => status !== conversation.status && change.mutate(status)}
          >
            {statusNames[status]}
          </button>
        ))}
      </div>
      <p role="alert" className="error">
        {change.error && sentenceOf(change.error, sentences.statusFailed)}
      </p>
    </fieldset>
  )
}
