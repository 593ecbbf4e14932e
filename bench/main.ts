// npm run bench: everything that has a bar, measured against a reference in the same run. Prints a table and keeps it in results.json.
import { rmSync } from 'node:fs'
import { createCluster } from '#tests/helpers/postgres.ts'
import { startServer } from '#tests/helpers/server-process.ts'
import { weighPages } from './bytes.ts'
import { withDisturbance } from './disturbance.ts'
import { benchFirstPaint } from './first-paint.ts'
import { benchPages } from './pages.ts'
import { startBenchServer } from './processes.ts'
import { isDisturbed, isMet, keepResults, type Measure, tableOf } from './report.ts'
import { benchSigning } from './sign.ts'

const template = 'filled'
const undo: (() => unknown)[] = []

async function cleanUp(): Promise<void> {
  for (const step of undo.splice(0).reverse()) await step()
}

/** Does one part of the benchmark, and notes on each of its figures how much the rest of the machine was in the way. */
async function part(title: string, work: () => Promise<Measure[]>): Promise<Measure[]> {
  const startedAt = performance.now()
  const { result, disturbance } = await withDisturbance(work)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const others =
    disturbance === undefined ? '' : `, other programs took ${Math.round(disturbance * 100)} % of the machine`
  console.log(`  ${title}: ${seconds} s${others}`)
  return result.map((measure) => ({ ...measure, ...(disturbance !== undefined && { disturbance }) }))
}

async function bench(): Promise<Measure[]> {
  const cluster = await createCluster()
  undo.push(() => cluster.remove())
  const databaseUrl = await cluster.createDatabase(template)
  // Fills the database with the samples, which every signing round then starts from.
  const filling = await startServer({ env: { DATABASE_URL: databaseUrl } })
  await filling.stop()
  rmSync(filling.dataDir, { recursive: true, force: true })

  const signing = await part('signing', () => benchSigning({ cluster, rounds: 3, template }))

  const bare = await startBenchServer('./bare-server.ts')
  undo.push(() => bare.stop())
  const site = await startServer({ env: { DATABASE_URL: databaseUrl } })
  undo.push(async () => {
    await site.stop()
    rmSync(site.dataDir, { recursive: true, force: true })
  })
  const uncached = await startBenchServer('./uncached-server.ts', { DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' })
  undo.push(() => uncached.stop())
  const pages = await part('pages', () => benchPages({ bare, site, uncached, rounds: 5 }))
  const bytes = await weighPages(site.url)
  // The browser's own processes cannot be told from those of others, and its pace is throttled anyway.
  const paint = await benchFirstPaint(site.url, 7)
  return [...signing, ...pages, ...bytes, ...paint]
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void cleanUp().finally(() => process.exit(130)))
try {
  console.log('Benchmark: takes about three minutes, best on a machine with nothing else to do.')
  const measures = await bench()
  console.log(`\n${tableOf(measures)}\n`)
  if (measures.some(isDisturbed)) console.log('Other programs were in the way: the kept results stay as they were.')
  else keepResults(measures)
  if (measures.some((measure) => isMet(measure) === false)) process.exitCode = 1
} finally {
  await cleanUp()
}
