// Deletes a conversation permanently, for example when the person asks for it.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { removeConversation } from '#contract/admin/conversations.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { conversationKeys } from '#web/admin/conversations/conversation-queries.ts'
import { Confirmation } from '#web/admin/ui/dialog.tsx'
import { showToast } from '#web/admin/ui/toast.ts'

const { conversations: texts } = adminMessages

interface RemovalProps {
  id: string
  /** The page to open after the deletion. */
  listPath: string
}

export function Removal({ id, listPath }: RemovalProps) {
  const [isConfirming, setConfirming] = useState(false)
  const client = useQueryClient()
  const navigate = useNavigate()
  // Inactive queries only: a visible conversation would be refetched, and no longer exists.
  const dropCached = () => client.removeQueries({ queryKey: conversationKeys.one(id), type: 'inactive' })
  const removal = useMutation({
    mutationFn: () => callAdmin(removeConversation, { params: { id } }),
    onSuccess({ message }) {
      showToast({ title: 'Sucesso!', text: message, tone: 'success' })
      void client.invalidateQueries({ queryKey: conversationKeys.all, predicate: ({ queryKey }) => queryKey[1] !== id })
      dropCached()
    },
    onError: (error) => showToast({ title: 'Erro', text: errorMessage(error, texts.removalFailed), tone: 'error' }),
  })
  async function goBack(): Promise<void> {
    await navigate(listPath)
    dropCached()
  }
  return (
    <>
      <button type="button" className="link" onClick={() => setConfirming(true)}>
        Apagar conversa
      </button>
      {isConfirming && (
        <Confirmation
          title="Apagar conversa"
          question={texts.removal}
          action="Apagar"
          busy={removal.isPending}
          {...(removal.error && { problem: errorMessage(removal.error, texts.removalFailed) })}
          // This callback does not run after unmount: a user who has navigated elsewhere stays there.
          onConfirm={() => removal.mutate(undefined, { onSuccess: () => void goBack() })}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  )
}
