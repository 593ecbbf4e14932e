import { type CampaignSummary, displayedStatus, statusNames } from '#contract/admin/campaigns.ts'

const looks = {
  draft: { className: 'badge', 'data-state': 'unknown' },
  live: { className: 'badge badge-good' },
  closed: { className: 'badge' },
  won: { className: 'badge', 'data-state': 'look' },
  offline: { className: 'badge badge-bad' },
} as const

export function StatusBadge({ campaign }: { campaign: Pick<CampaignSummary, 'status' | 'isActive'> }) {
  const status = displayedStatus(campaign)
  return <span {...looks[status]}>{statusNames[status]}</span>
}
