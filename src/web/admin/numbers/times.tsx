// A campaign by hour and by day.
import { useState } from 'react'
import type { Numbers } from '#contract/admin/numbers.ts'
import { Bars, Chart } from '#web/admin/numbers/chart.tsx'
import { counted, inWords } from '#web/admin/ui/amounts.ts'

const timeZone = 'America/Sao_Paulo'
const hourFormat = new Intl.DateTimeFormat('pt-BR', { day: '2-digit', month: '2-digit', hour: '2-digit', timeZone })
const dayFormat = new Intl.DateTimeFormat('pt-BR', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  timeZone: 'UTC',
})

const hourInWords = (hour: string) => `${hourFormat.format(new Date(hour)).replace(',', ',')}h`
const dayInWords = (day: string) => dayFormat.format(new Date(day))

const signatures = (count: number) => counted(count, 'assinatura', 'assinaturas')

/** The words of the first, the middle and the last. */
function marksOf(labels: string[]): string[] {
  const marked = new Set([0, ...(labels.length > 4 ? [Math.floor(labels.length / 2)] : []), labels.length - 1])
  return [...marked].flatMap((index) => labels[index] ?? [])
}

const dayMs = 24 * 60 * 60_000

/** Days before the first signature too, up to so many: one day alone would fill the whole drawing. */
function atLeast(count: number, days: Numbers['byDay']): Numbers['byDay'] {
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
    ...{ label: hourInWords(hour), value, open: index === byHour.length - 1 },
  }))
  const best = bars.reduce((one, other) => (other.value > one.value ? other : one), { label: '', value: 0 })
  const shown = total - earlier
  return (
    <Chart
      title="Por hora, últimas 48 horas"
      file={`${campaign.slug}-por-hora`}
      titles={['Hora', 'Assinaturas']}
      rows={[['Antes', earlier], ...bars.map(({ label, value }) => [label, value])]}
    >
      <Bars
        bars={bars}
        marks={marksOf(bars.map(({ label }) => label))}
        summary={`${signatures(shown)} em 48 horas.${best.value > 0 ? ` A melhor hora: ${best.label}, ${inWords(best.value)}.` : ''}`}
      />
      <p className="faint">
        {signatures(shown)} nestas horas e {inWords(earlier)} antes: {inWords(total)} ao todo. A última barra, listrada,
        é a hora em curso.
      </p>
    </Chart>
  )
}

const fewestDays = 30
const spans = { 30: '30 dias', 90: '90 dias', 0: 'Tudo' }

export function ByDay({ campaign, byDay, signatures: total }: Numbers) {
  const [span, setSpan] = useState(30)
  const shown = byDay.length === 0 ? [] : atLeast(span || fewestDays, byDay.slice(-span))
  const bars = shown.map(({ day, signatures: value }, index) => ({
    ...{ label: dayInWords(day), value, open: index === shown.length - 1 },
  }))
  const sum = bars.reduce((all, { value }) => all + value, 0)
  const best = bars.reduce((one, other) => (other.value > one.value ? other : one), { label: '', value: 0 })
  return (
    <Chart
      title="Por dia"
      file={`${campaign.slug}-por-dia`}
      titles={['Dia', 'Assinaturas']}
      rows={byDay.map(({ day, signatures: value }) => [dayInWords(day), value])}
      controls={
        <label className="chart-choice">
          Mostrar{' '}
          <select value={span} onChange={(event) => setSpan(Number(event.target.value))}>
            {Object.entries(spans)
              .reverse()
              .map(([days, words]) => (
                <option key={days} value={days}>
                  {words}
                </option>
              ))}
          </select>
        </label>
      }
    >
      {bars.length === 0 ? (
        <p>Ninguém assinou ainda.</p>
      ) : (
        <>
          <Bars
            bars={bars}
            marks={marksOf(bars.map(({ label }) => label))}
            summary={`${signatures(sum)} em ${counted(bars.length, 'dia', 'dias')}. O melhor dia: ${best.label}, ${inWords(best.value)}.`}
          />
          <p className="faint">
            {signatures(sum)} nestes dias e {inWords(total - sum)} antes: {inWords(total)} ao todo. Dias no horário de
            Brasília; o último, listrado, é hoje.
          </p>
        </>
      )}
    </Chart>
  )
}
