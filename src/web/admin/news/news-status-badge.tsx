import { type NewsSummary, newsStatuses } from '#contract/admin/news.ts'

const looks = {
  draft: { className: 'badge', 'data-state': 'unknown' },
  scheduled: { className: 'badge', 'data-state': 'look' },
  published: { className: 'badge badge-good' },
} as const

export function NewsStatusBadge({ status }: Pick<NewsSummary, 'status'>) {
  return <span {...looks[status]}>{newsStatuses[status]}</span>
}
