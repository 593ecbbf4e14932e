// Active campaigns in memory: read at most once a second per node, and served while the database is unavailable.
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Campaign } from '#contract/campaigns.ts'
import { campaignNotFound } from '#server/core/errors.ts'
import type { Log } from '#server/core/log.ts'
import { sanitizeRichText } from '#server/core/rich-text.ts'
import { createSwrCache } from '#server/core/swr-cache.ts'
import type { Database } from '#server/db/database.ts'
import { campaignOldSlugs, campaigns, media } from '#server/db/schema.ts'

/** A public campaign, with what lists, the sitemap and news need. */
export interface ActiveCampaign extends Campaign {
  id: number
  updatedAt: Date
}

/** The digest in `/media/{sha256}.webp`. */
const heroDigest = sql`substr(${campaigns.heroImageUrl}, 8, 64)`

export type Campaigns = ReturnType<typeof createCampaigns>

export function createCampaigns(database: Database, log: Log, refreshMs: number) {
  const sanitized = new Map<string, string>()
  const listeners: (() => void)[] = []

  /** Sanitizing is slow and manifestos rarely change, so each text is sanitized once. */
  function sanitize(html: string): string {
    const cached = sanitized.get(html)
    if (cached !== undefined) return cached
    if (sanitized.size > 1_000) sanitized.clear()
    const safe = sanitizeRichText(html)
    sanitized.set(html, safe)
    return safe
  }

  const active = createSwrCache(
    async () => {
      const rows = await database.orm
        .select({ campaign: campaigns, heroImageSize: { largura: media.width, altura: media.height } })
        .from(campaigns)
        .leftJoin(media, and(eq(media.sha256, heroDigest), eq(media.format, 'webp')))
        .where(eq(campaigns.isActive, true))
        .orderBy(asc(campaigns.ordem), desc(campaigns.createdAt), desc(campaigns.id))
      const oldSlugs = await database.orm.select().from(campaignOldSlugs)
      const listed = rows.map(({ campaign, heroImageSize }) => {
        const { manifestoHtml, resultHtml, status } = campaign
        return {
          ...campaign,
          ...(heroImageSize && { heroImageSize }),
          manifestoHtml: sanitize(manifestoHtml),
          // A result that is being prepared is not public.
          resultHtml: resultHtml && status !== 'live' ? sanitize(resultHtml) : null,
        }
      })
      const byId = new Map(listed.map((row) => [row.id, row]))
      const bySlug = new Map(listed.map((row) => [row.slug, row]))
      for (const { slug, campaignId } of oldSlugs) {
        const campaign = byId.get(campaignId)
        if (campaign && !bySlug.has(slug)) bySlug.set(slug, campaign)
      }
      return { listed, bySlug }
    },
    { periodMs: refreshMs, onFailure: (error) => log.warn({ err: error }, 'campaigns not refreshed') },
  )

  return {
    /** Finds a campaign by its current slug or a former one. */
    async active(slug: string): Promise<ActiveCampaign> {
      const campaign = (await active.get()).bySlug.get(slug)
      if (!campaign) throw campaignNotFound()
      return campaign
    },
    /** In the order of the organisers. */
    listed: async (): Promise<ActiveCampaign[]> => (await active.get()).listed,
    /** Call after a change: this node shows it at once, other nodes within a second. */
    expire(): void {
      active.expire()
      for (const listener of listeners) listener()
    },
    onChange: (listener: () => void): void => void listeners.push(listener),
  }
}
