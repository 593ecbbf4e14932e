// The order of the campaigns: a move is displayed at once and sent after the previous one.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type CampaignSummary, reorderCampaigns } from '#contract/admin/campaigns.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { messages } from '#contract/messages.ts'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { campaignListQuery } from '#web/admin/campaigns/campaign-queries.ts'
import { moveItem } from '#web/admin/contents/order.ts'
import { showToast } from '#web/admin/ui/toast.ts'

const { queryKey } = campaignListQuery

export function useCampaignOrder() {
  const queries = useQueryClient()
  const cached = () => queries.getQueryData(queryKey)?.campaigns ?? []
  const display = (campaigns: CampaignSummary[]) => queries.setQueryData(queryKey, { success: true, campaigns })
  const sending = useMutation({
    scope: { id: 'ordem das campanhas' },
    mutationFn: (order: { ids: number[]; antes: number[] }) => callAdmin(reorderCampaigns, { body: order }),
    onError(error) {
      showToast({ title: messages.toast.error, text: errorMessage(error, adminMessages.campaign.ordem), tone: 'error' })
      return queries.invalidateQueries({ queryKey })
    },
  })
  return {
    problem: sending.error ? errorMessage(sending.error, adminMessages.campaign.ordem) : '',
    /** Starts from the cache, because the rendered list may be one click behind. */
    moveBeside(id: number, neighbour: number, step: -1 | 1): void {
      const before = cached()
      const after = moveItem(before, id, neighbour, step < 0 ? 'before' : 'after')
      // A list response in flight does not contain this move.
      void queries.cancelQueries({ queryKey }).then(() => display(after))
      display(after)
      sending.mutate({ ids: after.map((each) => each.id), antes: before.map((each) => each.id) })
    },
  }
}
