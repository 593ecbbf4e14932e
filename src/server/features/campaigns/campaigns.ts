// Active campaigns, read at most once a second per node and served from memory, also while the database is away.
import { and, eq, sql } from 'drizzle-orm'
import type { Campaign } from '#contract/campaigns.ts'
import { messages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'
import { lastKnown } from '#server/core/last-known.ts'
import type { Log } from '#server/core/log.ts'
import type { Database } from '#server/db/database.ts'
import { campaignOldSlugs, campaigns, media } from '#server/db/schema.ts'
import { sanitizeManifesto } from '#server/features/campaigns/manifesto.ts'

export interface ListedCampaign {
  slug: string
  titulo: string
  updatedAt: Date
}

export interface Campaigns {
  /** Found by its slug or by one that it had before. */
  active(slug: string): Promise<Campaign>
  listed(): Promise<ListedCampaign[]>
  /** To be called after a change: it shows at once on this node, and on the others within their second. */
  expire(): void
  onChange(listener: () => void): void
}

/** Of `/media/{sha256}.webp`. */
const heroDigest = sql`substr(${campaigns.heroImageUrl}, 8, 64)`

export function createCampaigns(database: Database, log: Log, refreshMs: number): Campaigns {
  const cleaned = new Map<string, string>()
  const listeners: (() => void)[] = []

  /** Sanitising is slow and manifestos rarely change: each text is cleaned once. */
  function clean(html: string): string {
    const known = cleaned.get(html)
    if (known !== undefined) return known
    if (cleaned.size > 1_000) cleaned.clear()
    const safe = sanitizeManifesto(html)
    cleaned.set(html, safe)
    return safe
  }

  const active = lastKnown(
    async () => {
      const rows = await database.orm
        .select({ campaign: campaigns, heroImageSize: { largura: media.largura, altura: media.altura } })
        .from(campaigns)
        .leftJoin(media, and(eq(media.sha256, heroDigest), eq(media.formato, 'webp')))
        .where(eq(campaigns.isActive, true))
      const oldSlugs = await database.orm.select().from(campaignOldSlugs)
      const listed = rows.map(({ campaign, heroImageSize }) => {
        return { ...campaign, ...(heroImageSize && { heroImageSize }), manifestoHtml: clean(campaign.manifestoHtml) }
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
    async active(slug) {
      const campaign = (await active.get()).bySlug.get(slug)
      if (!campaign) throw new AppError('not-found', messages.campaign.notFound)
      return campaign
    },
    listed: async () => (await active.get()).listed,
    expire() {
      active.expire()
      for (const listener of listeners) listener()
    },
    onChange: (listener) => void listeners.push(listener),
  }
}
