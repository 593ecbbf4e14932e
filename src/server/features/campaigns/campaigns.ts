// Active campaigns, read at most once a second per node and served from memory, also while the database is away.
import { eq } from 'drizzle-orm'
import sanitizeHtml from 'sanitize-html'
import type { Campaign } from '#contract/campaigns.ts'
import { messages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'
import { lastKnown } from '#server/core/last-known.ts'
import type { Log } from '#server/core/log.ts'
import type { Database } from '#server/db/database.ts'
import { campaigns } from '#server/db/schema.ts'

export interface Campaigns {
  active(slug: string): Promise<Campaign>
  listed(): Promise<{ slug: string; updatedAt: Date }[]>
}

export function createCampaigns(database: Database, log: Log): Campaigns {
  const cleaned = new Map<string, string>()

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
      const rows = await database.orm.select().from(campaigns).where(eq(campaigns.isActive, true))
      return new Map(rows.map((row) => [row.slug, { ...row, manifestoHtml: clean(row.manifestoHtml) }]))
    },
    { periodMs: 1_000, onFailure: (error) => log.warn({ err: error }, 'campaigns not refreshed') },
  )

  return {
    async active(slug) {
      const campaign = (await active.get()).get(slug)
      if (!campaign) throw new AppError('not-found', messages.campaign.notFound)
      return campaign
    },
    listed: async () => [...(await active.get()).values()],
  }
}

/** What was written straight into the database is not trusted either, so this runs on the way out. */
export function sanitizeManifesto(html: string): string {
  return sanitizeHtml(html, {
    allowedTags: [
      'p',
      'h2',
      'h3',
      'h4',
      'strong',
      'em',
      'u',
      's',
      'ul',
      'ol',
      'li',
      'blockquote',
      'a',
      'br',
      'hr',
      'img',
    ],
    allowedAttributes: { a: ['href'], img: ['src', 'alt', 'width', 'height'] },
    allowedSchemes: ['https', 'mailto'],
    allowProtocolRelative: false,
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !/^\/media\/[0-9a-f]{64}\.[\w.]+$/.test(attribs.src ?? ''),
  })
}
