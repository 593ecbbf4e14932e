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
  /** The version of the manifesto that people sign now. */
  versaoManifesto: number
}

export interface Tallies {
  /** Refuses a campaign that does not exist or is switched off. */
  of(campanha: string, maxAgeMs?: number): Promise<Tally>
  /** Of every campaign, switched off or not. */
  signatures(): Promise<Map<string, number>>
  /** A campaign was changed: it shows at once on this node. */
  expire(): void
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

  async function readTallies(): Promise<Map<string, Tally & { isActive: boolean }>> {
    if (!settled || performance.now() - settled.readAt > settledForMs) settled = await sumSettledHours()
    const { until, signatures: before } = settled
    const rows = await database.query<Omit<Tally, 'signatures'> & { slug: string; isActive: boolean; recent: string }>(
      'tallies',
      `select slug, "baseCount", "versaoManifesto", "isActive", coalesce(recent, 0) as recent from campaigns
      left join (select campanha, sum(n) as recent from peticoes_por_hora where hora >= $1 group by campanha) open
        on campanha = slug`,
      [until],
    )
    return new Map(
      rows.map(({ slug, recent, ...campaign }) => [
        slug,
        { ...campaign, signatures: (before.get(slug) ?? 0) + Number(recent) },
      ]),
    )
  }

  const tallies = lastKnown(readTallies, {
    periodMs: 1_000,
    onFailure: (error) => log.warn({ err: error }, 'counts not refreshed'),
  })
  return {
    async of(campanha, maxAgeMs) {
      const tally = (await tallies.get(maxAgeMs)).get(campanha)
      if (!tally?.isActive) throw new AppError('not-found', messages.campaign.notFound)
      return tally
    },
    async signatures() {
      return new Map([...(await tallies.get())].map(([slug, { signatures }]) => [slug, signatures]))
    },
    expire: tallies.expire,
  }
}
