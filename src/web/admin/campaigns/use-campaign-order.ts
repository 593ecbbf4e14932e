// The order of the campaigns: a move is displayed at once and sent after the previous one.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type CampaignMove, type CampaignSummary, reorderCampaigns } from '#contract/admin/campaigns.ts'
import { moveItem } from '#contract/admin/item-order.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { messages } from '#contract/messages.ts'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { campaignListQuery } from '#web/admin/campaigns/campaign-queries.ts'
import { showToast } from '#web/admin/ui/toast.ts'

const { queryKey } = campaignListQuery

export function useCampaignOrder() {
  const queries = useQueryClient()
  const cached = () => queries.getQueryData(queryKey)?.campaigns ?? []
  const display = (campaigns: CampaignSummary[]) => queries.setQueryData(queryKey, { success: true, campaigns })
  const sending = useMutation({
    scope: { id: 'ordem das campanhas' },
    mutationFn: (body: CampaignMove) => callAdmin(reorderCampaigns, { body }),
    onError(error) {
      showToast({ title: messages.toast.error, text: errorMessage(error, adminMessages.campaign.ordem), tone: 'error' })
      return queries.invalidateQueries({ queryKey })
    },
  })
  return {
    problem: sending.error ? errorMessage(sending.error, adminMessages.campaign.ordem) : '',
    /** Starts from the cache, because the rendered list may be one click behind. */
    moveBeside(id: number, neighbour: number, step: -1 | 1): void {
      const after = moveItem(cached(), id, neighbour, step < 0 ? 'before' : 'after')
      // A list response in flight does not contain this move.
      void queries.cancelQueries({ queryKey }).then(() => display(after))
      display(after)
      sending.mutate({ id, vizinha: neighbour, lado: step < 0 ? 'antes' : 'depois' })
    },
  }
}
