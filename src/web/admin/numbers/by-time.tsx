// Signatures by hour and by day.
import { useState } from 'react'
import type { Numbers } from '#contract/admin/numbers.ts'
import { Bars, Chart } from '#web/admin/numbers/chart.tsx'
import { formatNumber, pluralize } from '#web/admin/ui/format-number.ts'

const timeZone = 'America/Sao_Paulo'
const hourFormat = new Intl.DateTimeFormat('pt-BR', { day: '2-digit', month: '2-digit', hour: '2-digit', timeZone })
const dayFormat = new Intl.DateTimeFormat('pt-BR', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  timeZone: 'UTC',
})

const formatHour = (hour: string) => `${hourFormat.format(new Date(hour))}h`
export const formatDay = (day: string) => dayFormat.format(new Date(day))

const signatures = (count: number) => pluralize(count, 'assinatura', 'assinaturas')

/** Labels of the first, the middle and the last bar. */
function axisLabelsOf(labels: string[]): string[] {
  const indexes = new Set([0, ...(labels.length > 4 ? [Math.floor(labels.length / 2)] : []), labels.length - 1])
  return [...indexes].flatMap((index) => labels[index] ?? [])
}

const dayMs = 24 * 60 * 60_000

/** Adds days before the first signature, up to `count` days: one day alone would fill the whole chart. */
function padDays(count: number, days: Numbers['byDay']): Numbers['byDay'] {
  const first = Date.parse(days[0]?.day ?? '')
  const missing = Math.max(0, count - days.length)
  const before = Array.from({ length: missing }, (_, index) => ({
    day: new Date(first - (missing - index) * dayMs).toISOString().slice(0, 10),
    signatures: 0,
  }))
  return [...before, ...days]
}

export function ByHour({ campaign, byHour, earlier, signatures: total }: Numbers) {
  const bars = byHour.map(({ hour, signatures: value }, index) => ({
    ...{ label: formatHour(hour), value, inProgress: index === byHour.length - 1 },
  }))
  const peak = bars.reduce((one, other) => (other.value > one.value ? other : one), { label: '', value: 0 })
  const recent = total - earlier
  return (
    <Chart
      title="Por hora, últimas 48 horas"
      file={`${campaign.slug}-por-hora`}
      titles={['Hora', 'Assinaturas']}
      rows={[['Antes', earlier], ...bars.map(({ label, value }) => [label, value])]}
    >
      <Bars
        bars={bars}
        axisLabels={axisLabelsOf(bars.map(({ label }) => label))}
        summary={`${signatures(recent)} em 48 horas.${peak.value > 0 ? ` A melhor hora: ${peak.label}, ${formatNumber(peak.value)}.` : ''}`}
      />
      <p className="faint">
        {signatures(recent)} nestas horas e {formatNumber(earlier)} antes: {formatNumber(total)} ao todo. A última
        barra, listrada, é a hora em curso.
      </p>
    </Chart>
  )
}

interface DayBarsProps {
  days: Numbers['byDay']
  /** Empty days are added before, up to this number. */
  minDays: number
}

const barsOf = (days: Numbers['byDay']) =>
  days.map(({ day, signatures: value }, index) => ({
    ...{ label: formatDay(day), value, inProgress: index === days.length - 1 },
  }))

/** The last of the days is today. */
export function DayBars({ days, minDays: shownDays }: DayBarsProps) {
  const bars = barsOf(padDays(shownDays || minDays, days))
  const sum = bars.reduce((all, { value }) => all + value, 0)
  const peak = bars.reduce((one, other) => (other.value > one.value ? other : one), { label: '', value: 0 })
  return (
    <Bars
      bars={bars}
      axisLabels={axisLabelsOf(bars.map(({ label }) => label))}
      summary={`${signatures(sum)} em ${pluralize(bars.length, 'dia', 'dias')}. O melhor dia: ${peak.label}, ${formatNumber(peak.value)}.`}
    />
  )
}

const minDays = 30
const spans = { 30: '30 dias', 90: '90 dias', 0: 'Tudo' }

export function ByDay({ campaign, byDay, signatures: total }: Numbers) {
  const [span, setSpan] = useState(30)
  const visibleDays = byDay.slice(-span)
  const sum = visibleDays.reduce((all, { signatures: value }) => all + value, 0)
  return (
    <Chart
      title="Por dia"
      file={`${campaign.slug}-por-dia`}
      titles={['Dia', 'Assinaturas']}
      rows={byDay.map(({ day, signatures: value }) => [formatDay(day), value])}
      controls={
        <label className="chart-choice">
          Mostrar{' '}
          <select value={span} onChange={(event) => setSpan(Number(event.target.value))}>
            {Object.entries(spans)
              .reverse()
              .map(([days, label]) => (
                <option key={days} value={days}>
                  {label}
                </option>
              ))}
          </select>
        </label>
      }
    >
      {visibleDays.length === 0 ? (
        <p>Ninguém assinou ainda.</p>
      ) : (
        <>
          <DayBars days={visibleDays} minDays={span} />
          <p className="faint">
            {signatures(sum)} nestes dias e {formatNumber(total - sum)} antes: {formatNumber(total)} ao todo. Dias no
            horário de Brasília; o último, listrado, é hoje.
          </p>
        </>
      )}
    </Chart>
  )
}
