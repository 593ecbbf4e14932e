import { type ListedCampaign, listActiveCampaigns, readCampaign } from '#contract/campaigns.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
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

/** How many campaigns the home page, the footer and thank-you views offer. */
const offered = 3

/** The first campaigns that can be signed, without the one that was just signed. */
export function liveCampaigns(
  list: ReplyOf<typeof listActiveCampaigns> | undefined,
  signed?: string | undefined,
): ListedCampaign[] {
  return (list?.campaigns ?? []).filter(({ slug, status }) => status === 'live' && slug !== signed).slice(0, offered)
}
