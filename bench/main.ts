// npm run bench: measures everything that has a limit, compared with a reference in the same run. Arguments select
// parts; --quick only checks that everything works.
import { createCluster } from '#tests/helpers/postgres.ts'
import { benchAdmin } from './admin.ts'
import { benchBackup } from './backup.ts'
import { benchAgainstBefore } from './before.ts'
import { measurePageBytes } from './bytes.ts'
import { benchCounts } from './counts.ts'
import { benchDeliveries } from './deliveries.ts'
import { withDisturbance } from './disturbance.ts'
import { benchErasure } from './erasure.ts'
import { benchFirstPaint } from './first-paint.ts'
import { benchImport } from './import.ts'
import { benchMixedLoad } from './mixed.ts'
import { benchNews } from './news.ts'
import { benchOverload } from './overload.ts'
import { benchPages } from './pages.ts'
import { isMet, type Measure, tableOf } from './report.ts'
import { isDisturbed, type PartResult, savePart } from './results.ts'
import { benchSharedAddress } from './shared-address.ts'
import { benchSigning } from './sign.ts'
import { benchSize } from './size.ts'
import { benchSnapshot } from './snapshot.ts'
import { benchSpreadsheet } from './spreadsheet.ts'
import { createStage, fillTemplate, type Stage, scales } from './stage.ts'
import { benchStart } from './start.ts'
import { benchHeldLoad } from './sustained.ts'

const parts: Record<string, (stage: Stage) => Promise<Measure[]>> = {
  signing: benchSigning,
  before: benchAgainstBefore,
  deliveries: benchDeliveries,
  counts: benchCounts,
  held: benchHeldLoad,
  mixed: benchMixedLoad,
  overload: benchOverload,
  'shared-address': benchSharedAddress,
  size: benchSize,
  snapshot: benchSnapshot,
  backup: benchBackup,
  spreadsheet: benchSpreadsheet,
  admin: benchAdmin,
  import: benchImport,
  erasure: benchErasure,
  news: benchNews,
  start: benchStart,
  pages: benchPages,
  bytes: measurePageBytes,
  paint: benchFirstPaint,
}
// Parts that other programs do not disturb. Sizes do not depend on load. The browser's processes cannot be told from
// those of other programs, and its speed is throttled anyway. The spreadsheet part mostly waits for the simulated
// Google Sheets.
const undisturbed = ['bytes', 'paint', 'spreadsheet']

const chosen = process.argv.slice(2).filter((argument) => argument !== '--quick')
const isQuick = process.argv.includes('--quick')
const unknown = chosen.filter((name) => !(name in parts))
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are ${Object.keys(parts).join(', ')}.`)
  process.exit(1)
}

let releaseAll = async () => {}
let cleaned: Promise<void> | undefined
/** Runs once, also when a stopped run fails meanwhile. */
function cleanUp(): Promise<void> {
  cleaned ??= releaseAll()
  return cleaned
}

async function run(): Promise<void> {
  const cluster = await createCluster()
  const stage = createStage(cluster, isQuick ? scales.quick : scales.full)
  releaseAll = async () => {
    await stage.clear()
    await cluster.remove()
  }
  await fillTemplate(cluster)
  for (const [name, bench] of Object.entries(parts)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    const result = await measure(name, () => bench(stage))
    await stage.clear()
    if (isQuick || result.measures.length === 0) continue
    if (isDisturbed(result)) console.log('  Other programs were in the way: the kept results stay as they were.')
    else savePart(name, result, Object.keys(parts))
    if (result.measures.some((one) => isMet(one) === false)) process.exitCode = 1
  }
}

/** Runs one part and measures how much other programs disturbed it. */
async function measure(name: string, work: () => Promise<Measure[]>): Promise<PartResult> {
  console.log(`\n${name} …`)
  const startedAt = performance.now()
  const { result: measures, disturbance } = undisturbed.includes(name)
    ? { result: await work() }
    : await withDisturbance(work)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const others =
    disturbance === undefined ? '' : `, other programs took ${Math.round(disturbance * 100)} % of the machine`
  console.log(`${name}: ${seconds} s${others}\n${tableOf(measures)}`)
  return { measures, ...(disturbance !== undefined && { disturbance }) }
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void cleanUp().finally(() => process.exit(130)))
try {
  console.log('Benchmark: all of it takes about half an hour, best on a machine with nothing else to do.')
  await run()
} finally {
  await cleanUp()
}
