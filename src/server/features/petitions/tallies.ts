// How many have signed: read from the database at most once a second per node, served from memory, also while the database is away.
import { messages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'
import { lastKnown } from '#server/core/last-known.ts'
import type { Log } from '#server/core/log.ts'
import type { Database } from '#server/db/database.ts'
import { totalCounts } from '#server/db/signature-counts.ts'

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

interface Counted {
  bySlug: Map<string, Tally & { isActive: boolean }>
  /** Slugs that campaigns had before, and the present ones. */
  renamed: Map<string, string>
}

export function createTallies(database: Database, log: Log, refreshMs: number): Tallies {
  async function readTallies(): Promise<Counted> {
    const rows = await database.query<Tally & { isActive: boolean; oldSlugs: string[] }>(
      'tallies',
      `select slug, "baseCount", "versaoManifesto", "isActive", coalesce(n, 0) as signatures,
        array(select old.slug::text from campaign_old_slugs old where old."campaignId" = campaigns.id) as "oldSlugs"
      from campaigns left join ${totalCounts} total on campanha = slug`,
      [],
    )
    const bySlug = new Map(rows.map(({ oldSlugs: _, ...campaign }) => [campaign.slug, campaign]))
    return { bySlug, renamed: new Map(rows.flatMap(({ slug, oldSlugs }) => oldSlugs.map((old) => [old, slug]))) }
  }

  const tallies = lastKnown(readTallies, {
    periodMs: refreshMs,
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
