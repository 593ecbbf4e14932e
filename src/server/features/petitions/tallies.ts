// How many have signed: read from the ledger at most once a second per node, served from memory, also while the database is away.
// However long the ledger has grown, the second's read touches its last hours alone.
import { messages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'
import { lastKnown } from '#server/core/last-known.ts'
import type { Log } from '#server/core/log.ts'
import type { Database } from '#server/db/database.ts'

export interface Tally {
  baseCount: number
  signatures: number
}

export interface Tallies {
  /** Refuses a campaign that does not exist or is switched off. */
  of(campanha: string): Promise<Tally>
}

/** Hours that are over do not change, but for a signature that its owner takes back: they are summed again this seldom. */
const settledForMs = 10 * 60_000

/** What all hours before one moment add up to, by campaign. */
interface Settled {
  until: string
  signatures: Map<string, number>
  readAt: number
}

export function createTallies(database: Database, log: Log): Tallies {
  let settled: Settled | undefined

  // A batch that began in the last minute of an hour is counted in that hour: it stays open for one more.
  async function sumSettledHours(): Promise<Settled> {
    const readAt = performance.now()
    const sums = await database.query<{ until: string; campanha: string | null; signatures: string }>(
      'settled-hours',
      `select until::text, campanha, sum(n) as signatures
      from (select date_trunc('hour', now()) - interval '1 hour' as until) boundary
      left join peticoes_por_hora on hora < until group by until, campanha`,
      [],
    )
    const until = sums[0]?.until ?? ''
    return { until, readAt, signatures: new Map(sums.map((sum) => [sum.campanha ?? '', Number(sum.signatures)])) }
  }

  async function readTallies(): Promise<Map<string, Tally>> {
    if (!settled || performance.now() - settled.readAt > settledForMs) settled = await sumSettledHours()
    const { until, signatures: before } = settled
    const rows = await database.query<{ slug: string; baseCount: number; recent: string }>(
      'tallies',
      `select slug, "baseCount", coalesce(recent, 0) as recent from campaigns
      left join (select campanha, sum(n) as recent from peticoes_por_hora where hora >= $1 group by campanha) open
        on campanha = slug
      where "isActive"`,
      [until],
    )
    return new Map(
      rows.map(({ slug, baseCount, recent }) => [
        slug,
        { baseCount, signatures: (before.get(slug) ?? 0) + Number(recent) },
      ]),
    )
  }

  const tallies = lastKnown(readTallies, {
    periodMs: 1_000,
    onFailure: (error) => log.warn({ err: error }, 'counts not refreshed'),
  })
  return {
    async of(campanha) {
      const tally = (await tallies.get()).get(campanha)
      if (!tally) throw new AppError('not-found', messages.campaign.notFound)
      return tally
    },
  }
}
