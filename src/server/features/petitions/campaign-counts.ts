// Signature counts in memory: read at most once a second per node, and served while the database is unavailable.
import type { CampaignStatus, CountingMode } from '#contract/campaigns.ts'
import { dayOf } from '#server/core/brazil-time.ts'
import { campaignNotFound } from '#server/core/errors.ts'
import type { Log } from '#server/core/log.ts'
import { createSwrCache } from '#server/core/swr-cache.ts'
import type { Database } from '#server/db/database.ts'
import { countsOfToday, importedCounts, totalCounts } from '#server/db/signature-counts.ts'

export interface CampaignCount {
  /** The current slug, even if the campaign was requested by a former one. */
  slug: string
  baseCount: number
  countingMode: CountingMode
  signatures: number
  confirmed: number
  /** The signatures that the public count includes. Without the base count. */
  counted: number
  /** The current version of the manifesto. */
  versaoManifesto: number
  status: CampaignStatus
}

export type StoredCounts = Pick<CampaignCount, 'signatures' | 'confirmed' | 'counted'>

/** Not public by itself. */
interface CachedCount extends CampaignCount {
  isActive: boolean
  /** The signatures without the imported ones. */
  signed: number
}

interface CountsOfDay {
  signedToday: number
  confirmedToday: number
  /** The totals when those of the day were read. */
  signed: number
  confirmed: number
}

interface CountsSnapshot {
  bySlug: Map<string, CachedCount>
  /** Former slugs and the current ones. */
  currentSlugs: Map<string, string>
}

export type CampaignCounts = ReturnType<typeof createCampaignCounts>

export function createCampaignCounts(database: Database, log: Log, refreshMs: number, now = () => new Date()) {
  async function readCounts(): Promise<CountsSnapshot> {
    const rows = await database.query<CachedCount & { oldSlugs: string[] }>(
      'campaign-counts',
      `select slug, "baseCount", "versaoManifesto", "isActive", status, "countingMode",
        coalesce(n, 0) as signatures, coalesce(n, 0) - coalesce(imported, 0) as signed, greatest(confirmed, 0) as confirmed,
        case "countingMode" when 'confirmed' then greatest(confirmed, 0) else coalesce(n, 0) end as counted,
        array(select old.slug::text from campaign_old_slugs old where old."campaignId" = campaigns.id) as "oldSlugs"
      from campaigns left join ${totalCounts} total on total.campanha = slug
        left join ${importedCounts} imports on imports.campanha = slug`,
      [],
    )
    const bySlug = new Map(rows.map(({ oldSlugs: _, ...campaign }) => [campaign.slug, campaign]))
    return { bySlug, currentSlugs: new Map(rows.flatMap(({ slug, oldSlugs }) => oldSlugs.map((old) => [old, slug]))) }
  }

  const counts = createSwrCache(readCounts, {
    periodMs: refreshMs,
    onFailure: (error) => log.warn({ err: error }, 'counts not refreshed'),
  })

  // Read less often, and nobody waits for a new value: the counts must not get slower.
  const today = createSwrCache(
    async () => {
      const day = dayOf(now())
      const rows = await database.query<CountsOfDay & { campanha: string }>(
        'counts-of-today',
        `select campanha, coalesce(today.n, 0) as "signedToday", coalesce(today.confirmed, 0) as "confirmedToday",
          total.n - coalesce(imported, 0) as signed, greatest(total.confirmed, 0) as confirmed
        from ${totalCounts} total left join (${countsOfToday}) today using (campanha)
          left join ${importedCounts} imports using (campanha)`,
        [],
      )
      return { day, counted: new Map(rows.map((row) => [row.campanha, row])) }
    },
    {
      periodMs: refreshMs * 10,
      maxWaitMs: 0,
      onFailure: (error) => log.warn({ err: error }, 'counts not refreshed'),
    },
  )
  return {
    /** Throws if the campaign does not exist or is not active. */
    of: async (campanha: string): Promise<CampaignCount> => activeIn(await counts.get(), campanha),
    /** What the public count gained on the current day in Brasília time. Undefined while only the count of another day is known. */
    async today(slug: string): Promise<number | undefined> {
      const last = await today.get().catch(() => undefined)
      if (last?.day !== dayOf(now())) return undefined
      const current = (await counts.get()).bySlug.get(slug)
      const then = last.counted.get(slug) ?? { signedToday: 0, confirmedToday: 0, signed: 0, confirmed: 0 }
      // All signatures and confirmations since then are of the same day.
      return current?.countingMode === 'confirmed'
        ? Math.max(0, then.confirmedToday + current.confirmed - then.confirmed)
        : Math.max(0, then.signedToday + (current?.signed ?? then.signed) - then.signed)
    },
    /** The cached count, if it is recent enough to be served without waiting. */
    cached(campanha: string): CampaignCount | undefined {
      const cached = counts.peek()
      return cached && activeIn(cached, campanha)
    },
    /** Like `of`, but never older than `maxAgeMs`. */
    fresh: async (campanha: string, maxAgeMs: number): Promise<CampaignCount> =>
      activeIn(await counts.fresh(maxAgeMs), campanha),
    /** The numbers to show, including the base counts. */
    async totals(): Promise<Map<string, number>> {
      const { bySlug } = await counts.get()
      return new Map([...bySlug].map(([slug, { baseCount, counted }]) => [slug, baseCount + counted]))
    },
    /** The current counts of a campaign, also of an inactive one. */
    async stored(slug: string): Promise<StoredCounts> {
      return (await counts.get(0)).bySlug.get(slug) ?? { signatures: 0, confirmed: 0, counted: 0 }
    },
    /** Call after a campaign was changed, so that this node shows it at once. */
    expire: counts.expire,
  }
}

function activeIn({ bySlug, currentSlugs }: CountsSnapshot, campanha: string): CampaignCount {
  const count = bySlug.get(campanha) ?? bySlug.get(currentSlugs.get(campanha) ?? '')
  if (!count?.isActive) throw campaignNotFound()
  return count
}
