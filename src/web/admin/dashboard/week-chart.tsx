// Seven bars with their numbers, readable without colour. Screen readers get the same data as a sentence.
import type { DashboardCampaign } from '#contract/admin/dashboard.ts'
import { formatNumber } from '#web/admin/ui/format-number.ts'

type Days = DashboardCampaign['byDay']

// The days are dates without a time, which Date reads as UTC.
const shortDay = new Intl.DateTimeFormat('pt-BR', { weekday: 'narrow', timeZone: 'UTC' })
const longDay = new Intl.DateTimeFormat('pt-BR', { weekday: 'long', timeZone: 'UTC' })

const slot = 24
const barWidth = 18
const height = 40

export function WeekChart({ days }: { days: Days }) {
  const max = Math.max(1, ...days.map(({ signatures }) => signatures))
  const last = days.length - 1
  return (
    <svg
      className="week-chart"
      viewBox={`0 0 ${slot * days.length} ${height + 16}`}
      role="img"
      aria-label={describeDays(days)}
    >
      <path className="week-chart-floor" d={`M0 ${height + 0.5}H${slot * days.length}`} />
      {days.map(({ day, signatures }, index) => {
        const top = Math.round((1 - signatures / max) * (height - 2) * 10) / 10 + 1
        const x = slot * index + (slot - barWidth) / 2
        return (
          <g key={day}>
            <title>{`${longDay.format(new Date(day))}: ${formatNumber(signatures)}`}</title>
            {signatures > 0 && (
              <rect
                className={index === last ? 'week-chart-today' : undefined}
                x={x}
                y={top}
                width={barWidth}
                height={height - top}
              />
            )}
            <text
              x={x + barWidth / 2}
              y={height + 13}
              textAnchor="middle"
              className={index === last ? 'week-chart-now' : undefined}
            >
              {shortDay.format(new Date(day))}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

function describeDays(days: Days): string {
  const last = days.length - 1
  const parts = days.map(({ day, signatures }, index) => {
    const name = index === last ? 'hoje' : longDay.format(new Date(day))
    return `${name} ${formatNumber(signatures)}`
  })
  return `Assinaturas por dia: ${parts.join(', ')}.`
}
