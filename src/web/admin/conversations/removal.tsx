// Taking a conversation out for good, as people may ask.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { removeConversation } from '#contract/admin/conversations.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { callAdmin, sentenceOf } from '#web/admin/api.ts'
import { Confirmation } from '#web/admin/ui/dialog.tsx'
import { showToast } from '#web/admin/ui/toast.ts'

const { conversations: sentences } = adminMessages

interface RemovalProps {
  id: string
  /** Where to go when it is gone. */
  list: string
}

export function Removal({ id, list }: RemovalProps) {
  const [asking, setAsking] = useState(false)
  const client = useQueryClient()
  const navigate = useNavigate()
  // Not while it is on the screen: it would be asked for again, and is not there.
  const forget = () => client.removeQueries({ queryKey: ['conversas', id], type: 'inactive' })
  const removal = useMutation({
    mutationFn: () => callAdmin(removeConversation, { params: { id } }),
    onSuccess({ message }) {
      showToast({ title: 'Sucesso!', text: message, tone: 'success' })
      void client.invalidateQueries({ queryKey: ['conversas'], predicate: ({ queryKey }) => queryKey[1] !== id })
      forget()
    },
    onError: (error) => showToast({ title: 'Erro', text: sentenceOf(error, sentences.removalFailed), tone: 'error' }),
  })
  async function goBack(): Promise<void> {
    await navigate(list)
    forget()
  }
  return (
    <>
      <button type="button" className="link" onClick={() => setAsking(true)}>
        Apagar conversa
      </button>
      {asking && (
        <Confirmation
          title="Apagar conversa"
          question={sentences.removal}
          action="Apagar"
          busy={removal.isPending}
          {...(removal.error && { problem: sentenceOf(removal.error, sentences.removalFailed) })}
          // Who has gone elsewhere meanwhile stays there.
          onConfirm={() => removal.mutate(undefined, { onSuccess: () => void goBack() })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
