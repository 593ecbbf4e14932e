// Delivery of a backlog of signatures to a simulated Google Sheets, of which two calls in five fail.
import { rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { seededRandom } from '#tests/helpers/random.ts'
import { temporaryFolder } from '#tests/helpers/server-process.ts'
import { type SheetsServer, startSheetsServer } from '#tests/helpers/sheets-server.ts'
import type { Measure } from './report.ts'
import type { Stage } from './stage.ts'
import { storeSignatures } from './stored-signatures.ts'

const faults = { quota: 10, error: 10, silence: 10, dropped: 10 } as const
const timeoutMs = 300_000

interface Outcome {
  seconds: number
  /** Number of extra and missing rows. */
  wrong: number
  writesInAMinute: number
  calls: number
  failed: number
}

export async function benchSpreadsheet(stage: Stage): Promise<Measure[]> {
  const { records, rounds } = stage.scale.backlog
  const outcomes: Outcome[] = []
  for (let round = 1; round <= rounds; round++) outcomes.push(await deliverBacklog(stage, records, round))
  const worst = (read: (outcome: Outcome) => number) => Math.max(...outcomes.map(read))
  const sum = (read: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + read(outcome), 0)
  const each = outcomes.map(({ seconds }) => seconds.toFixed(0)).join(', ')
  return [
    {
      name: `${records.toLocaleString('en')} waiting signatures reach the sheet; slowest of ${each} s`,
      unit: 's',
      figure: worst(({ seconds }) => seconds),
      bar: { of: 'figure', atMost: 60 },
    },
    {
      name: 'rows too many or missing, all rounds',
      unit: '',
      figure: sum(({ wrong }) => wrong),
      bar: { of: 'figure', atMost: 0 },
    },
    {
      name: 'writes sent in the busiest minute',
      unit: '',
      figure: worst(({ writesInAMinute }) => writesInAMinute),
      bar: { of: 'figure', atMost: 60 },
    },
    { name: 'calls, all rounds', unit: '', figure: sum(({ calls }) => calls) },
    {
      name: 'of them failed on purpose',
      unit: '%',
      figure: (100 * sum(({ failed }) => failed)) / sum(({ calls }) => calls),
    },
  ]
}

async function deliverBacklog(stage: Stage, records: number, round: number): Promise<Outcome> {
  const folder = temporaryFolder()
  const sheets = await startSheetsServer({ folder, random: seededRandom(`spreadsheet, round ${round}`) })
  sheets.faults = faults
  stage.atEnd(async () => {
    await sheets.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const { url, client } = await stage.createDatabase(`spreadsheet_${round}`)
  await storeSignatures(client, records)
  // Queued as in a busy hour: some dozens per batch.
  await client.query(`insert into outbox (kind, payload) select 'assinaturas', jsonb_agg(id)
    from (select id, row_number() over (order by id) / 30 as batch from peticoes) people group by batch`)

  const startedAt = performance.now()
  const site = await stage.startSite({ env: { DATABASE_URL: url, DELIVERIES: 'on', ...sheets.env } })
  while (rowsIn(sheets).ids.size < records && performance.now() - startedAt < timeoutMs) await delay(100)
  const seconds = (performance.now() - startedAt) / 1000
  sheets.faults = {}
  const left = async () =>
    (await client.query(`select from outbox where kind like 'planilha%' and kind <> 'planilha-conferir'`)).rowCount
  while ((await left()) && performance.now() - startedAt < timeoutMs) await delay(100)
  await site.stop()

  const { rows, ids } = rowsIn(sheets)
  const counted = Object.entries(sheets.counts)
  const calls = (some: [string, number][]) => some.reduce((total, [, count]) => total + count, 0)
  return {
    seconds,
    wrong: rows - ids.size + records - ids.size,
    writesInAMinute: busiestMinute(sheets.writes),
    calls: calls(counted),
    failed: calls(counted.filter(([name]) => name.includes(' '))),
  }
}

function rowsIn({ tabs }: SheetsServer): { rows: number; ids: Set<string> } {
  const [, ...rows] = tabs.tab('juros')?.rows ?? []
  return { rows: rows.length, ids: new Set(rows.map(([id]) => id?.text ?? '')) }
}

const busiestMinute = (times: number[]) =>
  Math.max(0, ...times.map((start) => times.filter((at) => at >= start && at < start + 60_000).length))
