import type { CampaignStatus } from '#contract/campaigns.ts'

/** The only table of allowed changes. Nothing leads back to a draft: people may have signed since. */
export const statusTransitions: Record<CampaignStatus, readonly CampaignStatus[]> = {
  draft: ['live'],
  live: ['closed', 'won'],
  closed: ['live', 'won'],
  won: ['closed', 'live'],
}

export const canChangeStatus = (from: CampaignStatus, to: CampaignStatus) => statusTransitions[from].includes(to)
