// What was measured, against what, and whether it is enough: the table on the screen and the file that is kept.
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

export interface Measure {
  name: string
  unit: string
  figure: number
  reference?: { name: string; figure: number }
  /** Of the figure to the reference; the median of the rounds, each compared with its own reference. */
  ratio?: number
  bar?: { of: 'figure' | 'ratio'; atLeast: number } | { of: 'figure' | 'ratio'; atMost: number }
  p99Ms?: number
  rounds?: { figure: number; reference: number }[]
  /** Share of the machine, 0 to 1, that other programs took meanwhile. */
  disturbance?: number
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
}

export interface Compared extends Pick<Measure, 'name' | 'unit' | 'bar' | 'p99Ms'> {
  reference: string
  rounds: { figure: number; reference: number }[]
}

/** A measure from rounds in which it alternated with its reference. */
export function compare({ reference, rounds, ...rest }: Compared): Measure {
  return {
    ...rest,
    figure: median(rounds.map(({ figure }) => figure)),
    reference: { name: reference, figure: median(rounds.map((round) => round.reference)) },
    ratio: median(rounds.map((round) => round.figure / round.reference)),
    rounds,
  }
}

/** Above it a figure says more about the other programs than about ours. */
const mostDisturbance = 0.1

export const isDisturbed = ({ ratio, disturbance = 0 }: Measure) => ratio !== undefined && disturbance > mostDisturbance

/** Unknown for what has no bar. */
export function isMet({ figure, ratio = Number.NaN, bar }: Measure): boolean | undefined {
  if (!bar) return undefined
  const value = bar.of === 'ratio' ? ratio : figure
  return 'atLeast' in bar ? value >= bar.atLeast : value <= bar.atMost
}

const number = (value: number) => (value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString('en'))

function wordBar({ bar, unit }: Measure): string {
  if (!bar) return ''
  const [sign, value] = 'atLeast' in bar ? ['>=', bar.atLeast] : ['<=', bar.atMost]
  return bar.of === 'ratio' ? `${sign} ${value} x` : `${sign} ${value.toLocaleString('en')} ${unit}`
}

function verdict(measure: Measure): string {
  const met = isMet(measure)
  if (met === undefined) return ''
  return `${met ? 'met' : 'NOT MET'}${isDisturbed(measure) ? ', but the machine was busy' : ''}`
}

export function tableOf(measures: Measure[]): string {
  const rows = measures.map((measure) => [
    measure.name,
    `${number(measure.figure)} ${measure.unit}`,
    measure.reference ? `${measure.reference.name}: ${number(measure.reference.figure)}` : '',
    measure.ratio === undefined ? '' : measure.ratio.toFixed(2),
    wordBar(measure),
    verdict(measure),
  ])
  const all = [['', 'figure', 'reference in the same run', 'ratio', 'bar', ''], ...rows]
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return all.map((row) => line(row).trimEnd()).join('\n')
}

const rounded = (_key: string, value: unknown) =>
  typeof value === 'number' ? Number(value.toPrecision(value < 10 ? 3 : 6)) : value

export function keepResults(measures: Measure[]): void {
  const results = {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    cores: availableParallelism(),
    measures: measures.map((measure) => ({ ...measure, met: isMet(measure) })),
  }
  writeFileSync(new URL('./results.json', import.meta.url), `${JSON.stringify(results, rounded, 2)}\n`)
}
