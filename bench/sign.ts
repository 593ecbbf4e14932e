// Signing over HTTP, on PostgreSQL and on the embedded engine, alternating with the references. On PostgreSQL, tables
// are empty before each measurement, and afterwards the acknowledged signatures are compared with the stored ones.
import pg from 'pg'
import { startEmbedded } from '#server/db/embedded.ts'
import type { Burst, BurstOutcome } from './load.ts'
import { type BenchServer, type Load, runPgbench } from './processes.ts'
import { compare, type Measure, median } from './report.ts'
import { memoryOf } from './resources.ts'
import { checkSignatures, type Stage } from './stage.ts'

interface SigningRound {
  bare: BurstOutcome
  site: BurstOutcome
  bareRepeats: BurstOutcome
  siteRepeats: BurstOutcome
  naive: BurstOutcome
  least: BurstOutcome
  pgbench: { perSecond: number }
}

export async function benchSigning(stage: Stage): Promise<Measure[]> {
  const { rounds, seconds } = stage.scale
  const [siteDatabase, naiveDatabase, leastDatabase, pgbenchDatabase] = [
    await stage.createDatabase('signing'),
    await stage.createDatabase('signing_naive'),
    await stage.createDatabase('signing_least'),
    await stage.createDatabase('signing_pgbench'),
  ]
  const bare = await stage.startServer('./bare-server.ts')
  const site = await stage.startSite({ env: { DATABASE_URL: siteDatabase.url } })
  const naive = await stage.startServer('./naive-server.ts', { DATABASE_URL: naiveDatabase.url })
  const least = await stage.startServer('./minimal-server.ts', { DATABASE_URL: leastDatabase.url })
  const load = stage.startLoad()

  const sign = (url: string, kind: Burst['kind'] = 'signatures') =>
    load.burst({ url: `${url}/api/peticoes`, kind, seconds })

  async function signOnSite(kind: Burst['kind']): Promise<BurstOutcome> {
    await siteDatabase.empty()
    const outcome = await sign(site.url, kind)
    await siteDatabase.check(outcome.people)
    // The remaining deliveries must not run during the next measurement.
    await siteDatabase.empty()
    return outcome
  }

  async function signOnNaive(): Promise<BurstOutcome> {
    await naiveDatabase.empty()
    return sign(naive.url)
  }

  async function signOnLeast(): Promise<BurstOutcome> {
    await leastDatabase.empty()
    const outcome = await sign(least.url)
    await leastDatabase.check(outcome.people)
    return outcome
  }

  async function insertWithPgbench() {
    await pgbenchDatabase.empty()
    return { perSecond: await runPgbench(pgbenchDatabase.url, seconds) }
  }

  const measures: { [Name in keyof SigningRound]: () => Promise<SigningRound[Name]> } = {
    bare: () => sign(bare.url),
    site: () => signOnSite('signatures'),
    bareRepeats: () => sign(bare.url, 'signatures and repeats'),
    siteRepeats: () => signOnSite('signatures and repeats'),
    naive: signOnNaive,
    least: signOnLeast,
    pgbench: insertWithPgbench,
  }
  const names = Object.keys(measures) as (keyof SigningRound)[]

  /**
   * Alternates the order: the measurement after an idle time of the generator, as during pgbench, is faster by a
   * tenth.
   */
  async function playRound(round: number): Promise<SigningRound> {
    const outcomes: Partial<Record<keyof SigningRound, unknown>> = {}
    for (const name of round % 2 === 0 ? names : names.toReversed()) outcomes[name] = await measures[name]()
    return outcomes as unknown as SigningRound
  }

  // Warm-up: the JavaScript engines compile the hot code.
  for (let round = 0; round < 2; round++) await playRound(round)
  const results: SigningRound[] = []
  for (let round = 0; round < rounds; round++) results.push(await playRound(round))

  const [bareMemory, siteMemory] = [bare, site].map(({ pid }) => memoryOf(pid).megabytes)
  await site.stop()

  const against = (figure: keyof SigningRound, reference: keyof SigningRound) =>
    results.map((round) => ({ figure: round[figure].perSecond, reference: round[reference].perSecond }))
  const p99 = (key: Exclude<keyof SigningRound, 'pgbench'>) => median(results.map((round) => round[key].p99Ms))
  const onPostgres = { name: 'Signing, PostgreSQL', unit: '/s', p99Ms: p99('site') }
  const bareName = 'bare Fastify POST'
  return [
    compare({
      ...onPostgres,
      reference: bareName,
      rounds: against('site', 'bare'),
      bar: { of: 'ratio', atLeast: 0.55 },
    }),
    compare({
      ...onPostgres,
      reference: "pgbench's single-row insert",
      rounds: against('site', 'pgbench'),
      bar: { of: 'ratio', atLeast: 0.9 },
    }),
    compare({
      ...onPostgres,
      reference: 'naive server',
      rounds: against('site', 'naive'),
      bar: { of: 'ratio', atLeast: 10 },
    }),
    compare({ ...onPostgres, reference: 'least server', rounds: against('site', 'least') }),
    compare({
      name: 'The least server',
      unit: '/s',
      p99Ms: p99('least'),
      reference: bareName,
      rounds: against('least', 'bare'),
    }),
    compare({
      name: 'The least server',
      unit: '/s',
      p99Ms: p99('least'),
      reference: "pgbench's single-row insert",
      rounds: against('least', 'pgbench'),
    }),
    compare({
      name: 'Signing, PostgreSQL: p99',
      unit: 'ms',
      reference: bareName,
      rounds: results.map(({ site, bare }) => ({ figure: site.p99Ms, reference: bare.p99Ms })),
      bar: { of: 'ratio', atMost: 4 },
    }),
    compare({
      name: 'Signing, PostgreSQL, a quarter repeats and retries',
      unit: '/s',
      p99Ms: p99('siteRepeats'),
      reference: bareName,
      rounds: against('siteRepeats', 'bareRepeats'),
      bar: { of: 'ratio', atLeast: 0.5 },
    }),
    memory('PostgreSQL', siteMemory, bareMemory),
    ...(await benchEmbedded(stage, load, bare)),
  ]
}

/** Runs apart from the others: its tables are not emptied, and its deliveries would run during their measurements. */
async function benchEmbedded(stage: Stage, load: Load, bare: BenchServer): Promise<Measure[]> {
  const { rounds, seconds } = stage.scale
  const embedded = await stage.startSite()
  const sign = (url: string) => load.burst({ url: `${url}/api/peticoes`, kind: 'signatures', seconds })
  const results: { embedded: BurstOutcome; bare: BurstOutcome }[] = []
  for (let round = -1; round <= rounds; round++)
    results.push({ embedded: await sign(embedded.url), bare: await sign(bare.url) })
  const [embeddedMemory, bareMemory] = [embedded, bare].map(({ pid }) => memoryOf(pid).megabytes)

  // A kill, because acknowledged signatures must already be in the files.
  await embedded.kill()
  const signed = results.reduce((sum, round) => sum + round.embedded.people, 0)
  await checkEmbedded(embedded.dataDir, signed)

  const measured = results.slice(2)
  return [
    compare({
      name: 'Signing, embedded',
      unit: '/s',
      p99Ms: median(measured.map((round) => round.embedded.p99Ms)),
      reference: 'bare Fastify POST',
      rounds: measured.map((round) => ({ figure: round.embedded.perSecond, reference: round.bare.perSecond })),
      bar: { of: 'figure', atLeast: 3_000 },
    }),
    memory('embedded', embeddedMemory, bareMemory),
  ]
}

function memory(engine: string, figure = Number.NaN, reference = Number.NaN): Measure {
  return compare({
    name: `Memory of the server after it, ${engine}`,
    unit: 'MB',
    reference: 'bare Fastify',
    rounds: [{ figure, reference }],
  })
}

async function checkEmbedded(dataDir: string, people: number): Promise<void> {
  const engine = await startEmbedded(dataDir)
  const client = new pg.Client(engine.connection)
  await client.connect()
  try {
    await checkSignatures(client, people)
  } finally {
    await client.end()
    await engine.stop()
  }
}
