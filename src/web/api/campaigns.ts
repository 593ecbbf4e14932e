// Campaigns as stored: their texts rarely change while somebody reads them.
import { listActiveCampaigns, readCampaign } from '#contract/campaigns.ts'
import type { Query } from '#web/api/store.ts'

export const campaign = (slug: string): Query<typeof readCampaign> => ({
  endpoint: readCampaign,
  params: { slug },
  staleMs: 5 * 60_000,
})

export const activeCampaigns: Query<typeof listActiveCampaigns> = {
  endpoint: listActiveCampaigns,
  staleMs: 5 * 60_000,
}
