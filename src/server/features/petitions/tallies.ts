// How many have signed: read from the ledger at most once a second per node, served from memory, also while the database is away.
// However long the ledger has grown, the second's read touches its last hours alone.
import { messages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'
import { lastKnown } from '#server/core/last-known.ts'
import type { Log } from '#server/core/log.ts'
import type { Database } from '#server/db/database.ts'
import { removalsCounter } from '#server/features/petitions/removal.ts'

export interface Tally {
  /** The present one, also where it was asked for by an old one. */
  slug: string
  baseCount: number
  signatures: number
  /** The version of the manifesto that people sign now. */
  versaoManifesto: number
}

export interface Tallies {
  /** Refuses a campaign that does not exist or is switched off. */
  of(campanha: string): Promise<Tally>
  /** The same, if it is there without waiting. */
  known(campanha: string): Tally | undefined
  /** The same, certainly read no longer ago than this. */
  fresh(campanha: string, maxAgeMs: number): Promise<Tally>
  /** Of every campaign, switched off or not, as of now. */
  signatures(): Promise<Map<string, number>>
  /** A campaign was changed: it shows at once on this node. */
  expire(): void
}

/** Hours that are over change only when a signature is taken back, which is told by a counter; they are summed again this seldom anyway. */
const settledForMs = 10 * 60_000

const removals = '(select coalesce(sum(n), 0) from contadores where nome = $1) as removals'

/** What all hours before one moment add up to, by campaign. */
interface Settled {
  until: string
  signatures: Map<string, number>
  /** How many signatures had been taken back by then. */
  removals: number
  readAt: number
}

interface Counted {
  bySlug: Map<string, Tally & { isActive: boolean }>
  /** Slugs that campaigns had before, and the present ones. */
  renamed: Map<string, string>
}

export function createTallies(database: Database, log: Log): Tallies {
  let settled: Settled | undefined

  // A batch that began in the last minute of an hour is counted in that hour: it stays open for one more.
  async function sumSettledHours(): Promise<Settled> {
    const readAt = performance.now()
    const sums = await database.query<{ until: string; removals: string; campanha: string | null; signatures: string }>(
      'settled-hours',
      `select until::text, ${removals}, campanha, sum(n) as signatures
      from (select date_trunc('hour', now()) - interval '1 hour' as until) boundary
      left join peticoes_por_hora on hora < until group by until, campanha`,
      [removalsCounter],
    )
    const signatures = new Map(sums.map((sum) => [sum.campanha ?? '', Number(sum.signatures)]))
    return { until: sums[0]?.until ?? '', removals: Number(sums[0]?.removals), signatures, readAt }
  }

  function readOpenHours({ until }: Settled) {
    return database.query<
      Omit<Tally, 'signatures'> & { isActive: boolean; oldSlugs: string[]; recent: string; removals: string }
    >(
      'tallies',
      `select slug, "baseCount", "versaoManifesto", "isActive", coalesce(recent, 0) as recent, ${removals},
        array(select old.slug::text from campaign_old_slugs old where old."campaignId" = campaigns.id) as "oldSlugs"
      from campaigns
      left join (select campanha, sum(n) as recent from peticoes_por_hora where hora >= $2 group by campanha) open
        on campanha = slug`,
      [removalsCounter, until],
    )
  }

  async function readTallies(): Promise<Counted> {
    // Of this reading alone until its end: another may be under way, and its sums do not go with these open hours.
    let sums = settled
    if (!sums || performance.now() - sums.readAt > settledForMs) sums = await sumSettledHours()
    let rows = await readOpenHours(sums)
    const { removals: known } = sums
    if (rows.some((row) => Number(row.removals) !== known)) {
      sums = await sumSettledHours()
      rows = await readOpenHours(sums)
    }
    settled = sums
    const { signatures: before } = sums
    const bySlug = new Map(
      rows.map(({ recent, oldSlugs: _, removals: __, ...campaign }) => [
        campaign.slug,
        { ...campaign, signatures: (before.get(campaign.slug) ?? 0) + Number(recent) },
      ]),
    )
    return { bySlug, renamed: new Map(rows.flatMap(({ slug, oldSlugs }) => oldSlugs.map((old) => [old, slug]))) }
  }

  const tallies = lastKnown(readTallies, {
    periodMs: 1_000,
    onFailure: (error) => log.warn({ err: error }, 'counts not refreshed'),
  })
  return {
    of: async (campanha) => activeIn(await tallies.get(), campanha),
    known(campanha) {
      const known = tallies.known()
      return known && activeIn(known, campanha)
    },
    fresh: async (campanha, maxAgeMs) => activeIn(await tallies.fresh(maxAgeMs), campanha),
    async signatures() {
      return new Map([...(await tallies.get(0)).bySlug].map(([slug, { signatures }]) => [slug, signatures]))
    },
    expire: tallies.expire,
  }
}

function activeIn({ bySlug, renamed }: Counted, campanha: string): Tally {
  const tally = bySlug.get(campanha) ?? bySlug.get(renamed.get(campanha) ?? '')
  if (!tally?.isActive) throw new AppError('not-found', messages.campaign.notFound)
  return tally
}
