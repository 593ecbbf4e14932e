// npm run chaos: runs the chaos tests at full size and prints a table of the injected failures and the lost data.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bin, node, prepare, requireTools } from './prepare.mjs'
import { endWith, root, run } from './run.mjs'

// Minimum totals of a full run.
const minimums = [
  ['kill -9 of the server', 'serverKills', 30],
  ['kill -9 of the worker while it sends e-mails', 'mailKills', 30],
  ['crashes of PostgreSQL', 'databaseCrashes', 10],
  ['ordered stops under load', 'stops', 20],
  ['acknowledged', 'acknowledged', 20_000],
]
const columns = [
  'test',
  'serverKills',
  'mailKills',
  'databaseCrashes',
  'stops',
  'acknowledged',
  'retried',
  'lost',
  'twice',
  'drift',
]

const results = join(root, 'test-results')
const report = join(results, 'chaos.jsonl')
const files = process.argv.slice(2)
let failure
try {
  await prepare('en', 'everything')
  await requireTools()
  mkdirSync(results, { recursive: true })
  rmSync(report, { force: true })
  const env = {
    PATH: `${join(node, '..')}:${process.env.PATH}`,
    NODE_ENV: 'test',
    FORCE_COLOR: '0',
    CHAOS: 'full',
    CHAOS_REPORT: report,
  }
  await run(bin('vitest'), ['run', '--project', 'chaos', ...files], { env, live: true })
} catch (error) {
  failure = error
}

const rows = existsSync(report) ? readFileSync(report, 'utf8').trim().split('\n').map(JSON.parse) : []
const sum = (column) => rows.reduce((total, row) => total + (row[column] ?? 0), 0)
const total = Object.fromEntries(columns.map((column) => [column, column === 'test' ? 'total' : sum(column)]))
process.stdout.write(`\n${tableOf([...rows, total])}\n\n`)
for (const { test, notes } of rows) if (notes) process.stdout.write(`${test}: ${notes}\n`)
if (failure) endWith(failure)

const missed = minimums.filter(([, column, minimum]) => sum(column) < minimum)
// A selection of files does not have to reach the totals of a full run.
if (files.length === 0 && missed.length > 0) {
  endWith(
    new Error(missed.map(([label, column, minimum]) => `${label}: ${sum(column)}, promised ${minimum}`).join('\n')),
  )
}
process.stdout.write(`\n${sum('lost')} of ${sum('acknowledged')} acknowledged were lost.\n`)

function tableOf(tableRows) {
  const cells = [columns, ...tableRows.map((row) => columns.map((column) => String(row[column] ?? '–')))]
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index].length)))
  const pad = (cell, index) => (index === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[index]))
  return cells.map((row) => row.map(pad).join('  ')).join('\n')
}
