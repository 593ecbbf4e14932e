// Measurements, their references and limits, and the table of results.
export interface Measure {
  name: string
  unit: string
  figure: number
  reference?: { name: string; figure: number }
  /** Figure divided by reference: the median over the rounds, each with its own reference. */
  ratio?: number
  bar?: { of: 'figure' | 'ratio'; atLeast: number } | { of: 'figure' | 'ratio'; atMost: number }
  p99Ms?: number
  rounds?: Round[]
}

export interface Round {
  figure: number
  reference: number
}

/** Percentile with linear interpolation; 0 for an empty list. */
export function percentile(values: number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  const position = (sorted.length - 1) * share
  const lower = sorted[Math.floor(position)] ?? 0
  return lower + ((sorted[Math.ceil(position)] ?? lower) - lower) * (position % 1)
}

export const median = (values: number[]) => percentile(values, 0.5)

export interface Compared extends Pick<Measure, 'name' | 'unit' | 'bar' | 'p99Ms'> {
  reference: string
  rounds: Round[]
}

/** Summarizes rounds that alternated with their reference. */
export function compare({ reference, rounds, ...rest }: Compared): Measure {
  return {
    ...rest,
    figure: median(rounds.map(({ figure }) => figure)),
    reference: { name: reference, figure: median(rounds.map((round) => round.reference)) },
    ratio: median(rounds.map((round) => round.figure / round.reference)),
    rounds,
  }
}

/** Undefined without a limit. */
export function isMet({ figure, ratio = Number.NaN, bar }: Measure): boolean | undefined {
  if (!bar) return undefined
  const value = bar.of === 'ratio' ? ratio : figure
  return 'atLeast' in bar ? value >= bar.atLeast : value <= bar.atMost
}

function formatFigure(value: number): string {
  if (Number.isInteger(value) || value >= 100) return Math.round(value).toLocaleString('en')
  return value < 10 ? value.toFixed(2) : value.toFixed(1)
}

function formatRatio({ ratio, rounds = [] }: Measure): string {
  if (ratio === undefined) return ''
  const ratios = rounds.map(({ figure, reference }) => figure / reference)
  const quartiles = [0.25, 0.75].map((share) => formatFigure(percentile(ratios, share)))
  return ratios.length > 1 ? `${formatFigure(ratio)} (${quartiles.join('–')})` : formatFigure(ratio)
}

function formatBar({ bar, unit }: Measure): string {
  if (!bar) return ''
  const [sign, value] = 'atLeast' in bar ? ['≥', bar.atLeast] : ['≤', bar.atMost]
  return bar.of === 'ratio' ? `${sign} ${value} ×` : `${sign} ${value.toLocaleString('en')} ${unit}`.trimEnd()
}

function verdict(measure: Measure): string {
  const met = isMet(measure)
  if (met === undefined) return ''
  return met ? 'met' : 'NOT MET'
}

export const columns = ['measure', 'figure', 'reference in the same run', 'ratio (quartiles)', 'bar', 'verdict', 'p99']

export function cellsOf(measure: Measure): string[] {
  const { name, unit, figure, reference, p99Ms } = measure
  return [
    name,
    `${formatFigure(figure)} ${unit}`.trimEnd(),
    reference ? `${reference.name}: ${formatFigure(reference.figure)}` : '',
    formatRatio(measure),
    formatBar(measure),
    verdict(measure),
    p99Ms === undefined ? '' : `${formatFigure(p99Ms)} ms`,
  ]
}

/** For the terminal. */
export function tableOf(measures: Measure[]): string {
  const all = [columns, ...measures.map(cellsOf)]
  const widths = columns.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return all.map((row) => `  ${line(row).trimEnd()}`).join('\n')
}
