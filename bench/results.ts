// Stores results: results.json with every round, and the tables of docs/benchmarks.md, which are generated from it.
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { cellsOf, columns, isMet, type Measure } from './report.ts'

export interface PartResult {
  measures: Measure[]
  /** Share of the machine, 0 to 1, that other programs used meanwhile. */
  disturbance?: number
}

interface StoredPart extends PartResult {
  date: string
  node: string
  cores: number
}

type StoredParts = Record<string, StoredPart>

const resultsFile = new URL('./results.json', import.meta.url)
const page = new URL('../docs/benchmarks.md', import.meta.url)
const marks = ['<!-- tables: written by npm run bench -->', '<!-- end of the tables -->'] as const

/** Above this share, a figure depends more on the other programs than on the site. */
const maxDisturbance = 0.1
export const isDisturbed = ({ disturbance = 0 }: PartResult) => disturbance > maxDisturbance

const rounded = (_key: string, value: unknown) =>
  typeof value === 'number' ? Number(value.toPrecision(value < 10 ? 3 : 6)) : value

/** Parts that did not run keep their stored results. */
export function savePart(name: string, result: PartResult, order: string[]): void {
  const parts: StoredParts = JSON.parse(readFileSync(resultsFile, 'utf8'))
  parts[name] = {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    cores: availableParallelism(),
    ...result,
    measures: result.measures.map((measure) => ({ ...measure, met: isMet(measure) })),
  }
  const inOrder = Object.fromEntries(order.flatMap((part) => (parts[part] ? [[part, parts[part]]] : [])))
  writeFileSync(resultsFile, `${JSON.stringify(inOrder, rounded, 2)}\n`)
  writePage(inOrder)
}

function writePage(parts: StoredParts): void {
  const [start, end] = marks
  const [before = '', rest = ''] = readFileSync(page, 'utf8').split(start)
  const [, after = ''] = rest.split(end)
  const tables = Object.entries(parts).map(([name, part]) => markdownOf(name, part))
  writeFileSync(page, `${before}${start}\n\n${tables.join('\n\n')}\n\n${end}${after}`)
}

function markdownOf(name: string, { date, node, cores, disturbance, measures }: StoredPart): string {
  const others =
    disturbance === undefined ? '' : `; other programs took ${Math.round(disturbance * 100)} % of the machine`
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [
    `### ${name}`,
    '',
    `\`npm run bench -- ${name}\`, ${date}, Node ${node}, ${cores} cores${others}.`,
    '',
    row(columns),
    row(columns.map(() => '---')),
    ...measures.map((measure) => row(cellsOf(measure))),
  ].join('\n')
}
