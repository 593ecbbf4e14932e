// Signing compared with another checkout of the project, usually the commit before a change: BEFORE names its folder,
// with installed packages and a build. Both servers take turns in the same run.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BurstOutcome } from './load.ts'
import { compare, type Measure, median } from './report.ts'
import { microseconds, ticksOf } from './resources.ts'
import type { Stage } from './stage.ts'

/** Short bursts in many rounds: the noise of a busy machine changes within seconds. */
const seconds = 0.8
const roundsPerRound = 16

interface Outcome extends BurstOutcome {
  /** Microseconds of processor time of the server and PostgreSQL. */
  perSignature: number
}

export async function benchAgainstBefore(stage: Stage): Promise<Measure[]> {
  const { BEFORE: root } = process.env
  if (!root) {
    console.log('  BEFORE is not set: nothing to compare with.')
    return []
  }
  // Each server fills its own database: the earlier version has other tables, and both begin in the same state.
  const nowDatabase = await stage.createDatabase('signing_now', { isEmpty: true })
  const beforeDatabase = await stage.createDatabase('signing_before', { isEmpty: true })
  const sites = {
    now: { database: nowDatabase, ...(await stage.startSite({ env: { DATABASE_URL: nowDatabase.url } })) },
    before: {
      database: beforeDatabase,
      ...(await stage.startSite({ root, env: { DATABASE_URL: beforeDatabase.url } })),
    },
  }
  const load = stage.startLoad()

  // Other programs hardly change the processor time of a signature, but they change the rate.
  const postmaster = Number.parseInt(readFileSync(join(stage.cluster.folder, 'data/postmaster.pid'), 'utf8'), 10)
  const ticks = (name: keyof typeof sites) => ticksOf(sites[name].pid) + ticksOf(postmaster)

  async function sign(name: keyof typeof sites): Promise<Outcome> {
    const { database, url } = sites[name]
    await database.empty()
    const before = ticks(name)
    const outcome = await load.burst({ url: `${url}/api/peticoes`, kind: 'signatures', seconds })
    const perSignature = microseconds(ticks(name) - before) / outcome.people
    await database.check(outcome.people)
    // The remaining deliveries must not run during the next measurement.
    await database.empty()
    return { ...outcome, perSignature }
  }

  const results: Record<keyof typeof sites, Outcome>[] = []
  const warmUp = 4
  for (let round = 0; round < warmUp + roundsPerRound * stage.scale.rounds; round++) {
    const outcomes: Partial<(typeof results)[number]> = {}
    for (const name of round % 2 === 0 ? (['now', 'before'] as const) : (['before', 'now'] as const))
      outcomes[name] = await sign(name)
    if (round >= warmUp) results.push(outcomes as (typeof results)[number])
  }
  return [
    compare({
      name: 'Signing, PostgreSQL',
      unit: '/s',
      p99Ms: median(results.map(({ now }) => now.p99Ms)),
      reference: 'the same before the change',
      rounds: results.map(({ now, before }) => ({ figure: now.perSecond, reference: before.perSecond })),
      bar: { of: 'ratio', atLeast: 0.97 },
    }),
    compare({
      name: 'Signing, PostgreSQL: processor time',
      unit: 'µs',
      reference: 'the same before the change',
      rounds: results.map(({ now, before }) => ({ figure: now.perSignature, reference: before.perSignature })),
      bar: { of: 'ratio', atMost: 1.03 },
    }),
  ]
}
