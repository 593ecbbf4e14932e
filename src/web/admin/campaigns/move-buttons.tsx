import type { CampaignSummary } from '#contract/admin/campaigns.ts'

interface MoveButtonsProps {
  campaign: CampaignSummary
  /** Position among the listed campaigns, from 0. */
  index: number
  count: number
  onMove(step: -1 | 1): void
}

const labels = { '-1': 'Mover para cima', '1': 'Mover para baixo' } as const

/** Never disabled: a user who presses one repeatedly must not lose the focus at the end of the list. */
export function MoveButtons({ campaign: { id, titulo }, index, count, onMove }: MoveButtonsProps) {
  return (
    <div className="move-buttons">
      {([-1, 1] as const).map((step) => {
        const canMove = step < 0 ? index > 0 : index < count - 1
        const label = labels[step]
        return (
          <button
            key={step}
            type="button"
            id={`mover-${id}-${step}`}
            className="button small"
            aria-disabled={!canMove || undefined}
            aria-label={`${label}: ${titulo}`}
            title={label}
            onClick={() => canMove && onMove(step)}
          >
            {step < 0 ? '↑' : '↓'}
          </button>
        )
      })}
    </div>
  )
}
