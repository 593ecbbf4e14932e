import { listActiveCampaigns, readCampaign } from '#contract/campaigns.ts'
import type { Query } from '#web/api/store.ts'

// Stale after five minutes: the texts of a campaign rarely change while a page is open.
export const campaign = (slug: string): Query<typeof readCampaign> => ({
  endpoint: readCampaign,
  params: { slug },
  staleMs: 5 * 60_000,
})

export const activeCampaigns: Query<typeof listActiveCampaigns> = {
  endpoint: listActiveCampaigns,
  staleMs: 5 * 60_000,
}
