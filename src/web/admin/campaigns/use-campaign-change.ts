import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { StoredCampaign } from '#contract/admin/campaigns.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { messages } from '#contract/messages.ts'
import { errorMessage } from '#web/admin/api/client.ts'
import { updateCachedCampaign } from '#web/admin/campaigns/campaign-queries.ts'
import { showToast } from '#web/admin/ui/toast.ts'

interface Changed {
  message: string
  campaign: StoredCampaign
}

/** A change of one campaign that is not an edit of its form. Result and failure are shown as a toast. */
export function useCampaignChange<Values>(send: (values: Values) => Promise<Changed>) {
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: send,
    onSuccess({ message, campaign }) {
      showToast({ title: messages.toast.success, text: message, tone: 'success' })
      updateCachedCampaign(queries, campaign)
    },
    onError: (error) => showToast({ title: messages.toast.error, text: problemOf(error), tone: 'error' }),
  })
  return { change, problem: change.error ? problemOf(change.error) : '' }
}

const problemOf = (error: Error) => errorMessage(error, adminMessages.campaign.failed)
