// Displays and changes the status of a conversation.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Conversation, changeConversationStatus } from '#contract/admin/conversations.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { type ConversationStatus, conversationStatuses, statusNames } from '#contract/conversation-status.ts'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { conversationKeys, conversationQuery } from '#web/admin/conversations/conversation-queries.ts'
import { showToast } from '#web/admin/ui/toast.ts'

const { conversations: texts } = adminMessages

export function StatusChange({ conversation }: { conversation: Conversation }) {
  const client = useQueryClient()
  const id = String(conversation.id)
  const change = useMutation({
    mutationFn: (status: ConversationStatus) =>
      callAdmin(changeConversationStatus, { params: { id }, body: { status } }),
    onSuccess({ message, status }) {
      client.setQueryData(
        conversationQuery(id).queryKey,
        (cached) => cached && { ...cached, conversa: { ...cached.conversa, status } },
      )
      for (const queryKey of [conversationKeys.lists, conversationKeys.latestLists])
        void client.invalidateQueries({ queryKey })
      showToast({ title: 'Sucesso!', text: message, tone: 'success' })
    },
    onError: (error) => showToast({ title: 'Erro', text: errorMessage(error, texts.statusFailed), tone: 'error' }),
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
        {change.error && errorMessage(change.error, texts.statusFailed)}
      </p>
    </fieldset>
  )
}
