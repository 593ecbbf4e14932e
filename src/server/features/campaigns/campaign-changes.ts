// What every change of a campaign by an administrator shares: the transaction, the reply, the conflict, the caches.
import { asc, desc, eq, sql } from 'drizzle-orm'
import type { CampaignFields, CampaignSummary, StoredCampaign } from '#contract/admin/campaigns.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { campaignLinks, fixedCampaignLinks } from '#contract/campaign-links.ts'
import { campaignPath } from '#contract/campaigns.ts'
import { specifiedLinks } from '#contract/site-menu.ts'
import { minuteOf } from '#server/core/brazil-time.ts'
import { AppError, campaignNotFound } from '#server/core/errors.ts'
import type { Audit } from '#server/db/audit.ts'
import { codeOf, type Database, type Orm } from '#server/db/database.ts'
import { hasErasedSignatures } from '#server/db/erased-signatures.ts'
import { campaignOldSlugs, campaigns, peticoes } from '#server/db/schema.ts'
import type { SiteService } from '#server/db/site-settings.ts'
import type { Campaigns } from '#server/features/campaigns/campaigns.ts'
import type { CampaignCounts } from '#server/features/petitions/campaign-counts.ts'

const { campaign: texts } = adminMessages
const uniqueViolation = '23505'

export type CampaignRow = typeof campaigns.$inferSelect

export interface Author {
  username: string
  audit: Audit
}

interface ChangeDeps {
  database: Database
  counts: CampaignCounts
  /** The public cache, which expires after every change. */
  publicCampaigns: Campaigns
  site: Pick<SiteService, 'current' | 'deputado'>
}

export type CampaignChanges = ReturnType<typeof createCampaignChanges>

export function createCampaignChanges({ database, counts, publicCampaigns, site }: ChangeDeps) {
  const { orm } = database

  const pathOf = (slug: string) => campaignPath(slug, site.deputado.slug)

  const linkedSlugs = [...Object.values(specifiedLinks(site.deputado)), ...fixedCampaignLinks].map(({ slug }) => slug)

  /** Whether pages of the site link to this slug by name. */
  function isLinked(slug: string): boolean {
    return pathOf(slug) !== `/p/${slug}` || linkedSlugs.includes(slug)
  }

  /** Signatures contain the slug, so it cannot change after the first one. */
  async function whySlugIsFixed(tx: Pick<Orm, 'select' | 'execute'>, { slug }: CampaignRow): Promise<string | null> {
    if (isLinked(slug)) return texts.slugFixo
    return (await isSigned(tx, slug)) ? texts.slugAssinado : null
  }

  async function toSummary({ createdAt: _createdAt, endedAt: _endedAt, ...row }: CampaignRow) {
    const { signatures, confirmed } = await counts.stored(row.slug)
    return {
      ...row,
      path: pathOf(row.slug),
      signatures,
      confirmed,
      publishAt: row.publishAt && minuteOf(row.publishAt),
      closeAt: row.closeAt && minuteOf(row.closeAt),
      updatedAt: row.updatedAt.toISOString(),
    }
  }

  async function toStoredCampaign(row: CampaignRow): Promise<StoredCampaign> {
    return { ...(await toSummary(row)), slugFixo: await whySlugIsFixed(orm, row) }
  }

  /** Runs a change in a transaction, and expires the public cache after the commit. */
  async function commit<T>(work: (tx: Orm) => Promise<T>): Promise<T> {
    try {
      const result = await database.transaction(work)
      publicCampaigns.expire()
      return result
    } catch (error) {
      if (codeOf(error) === uniqueViolation) throw refusal('slug', texts.slugOcupado)
      // Read after the transaction: the embedded database runs no other query while a transaction is open.
      if (error instanceof EditConflict)
        throw new AppError('conflict', texts.changed(error.author), { current: await toStoredCampaign(error.stored) })
      throw error
    }
  }

  return {
    pathOf,
    /** Links of the site's own pages to campaigns. */
    siteLinks: async () => campaignLinks(await site.current()),
    whySlugIsFixed,
    toStoredCampaign,
    commit,
    /** Like `commit`, for a change of one campaign. */
    change: async (work: (tx: Orm) => Promise<CampaignRow>) => toStoredCampaign(await commit(work)),
    /** All campaigns in the organiser's order. */
    async list(): Promise<CampaignSummary[]> {
      const rows = await orm
        .select()
        .from(campaigns)
        .orderBy(...displayOrder)
      return Promise.all(rows.map(toSummary))
    },
  }
}

/** Another administrator changed the campaign after this edit began. */
export class EditConflict extends Error {
  readonly stored: CampaignRow
  readonly author: string

  constructor(stored: CampaignRow) {
    super('edit conflict')
    this.stored = stored
    this.author = stored.alteradaPor ?? 'Outra pessoa'
  }
}

export function requireRow(row: CampaignRow | undefined): CampaignRow {
  if (!row) throw campaignNotFound()
  return row
}

/** Serialises the changes of one campaign. Signing does not wait for this lock. */
export async function lockCampaign(tx: Orm, id: number): Promise<CampaignRow> {
  const [row] = await tx.select().from(campaigns).where(eq(campaigns.id, id)).for('update')
  return requireRow(row)
}

/** The organiser's order, as on the public pages. */
export const displayOrder = [asc(campaigns.ordem), desc(campaigns.createdAt), desc(campaigns.id)]

/** The position of a new campaign: before all others. */
export const firstPosition = sql<number>`(select coalesce(min(ordem), 1) - 1 from campaigns)`

export async function isSigned(tx: Pick<Orm, 'select' | 'execute'>, slug: string): Promise<boolean> {
  const [signed] = await tx.select({ id: peticoes.id }).from(peticoes).where(eq(peticoes.campanha, slug)).limit(1)
  return signed !== undefined || hasErasedSignatures(tx, slug)
}

/** The campaign that used this slug before, if any. */
export async function formerOwner(tx: Pick<Orm, 'select'>, slug: string) {
  const [former] = await tx
    .select({ id: campaigns.id, titulo: campaigns.titulo })
    .from(campaignOldSlugs)
    .innerJoin(campaigns, eq(campaigns.id, campaignOldSlugs.campaignId))
    .where(eq(campaignOldSlugs.slug, slug))
  return former
}

/**
 * Refuses a slug that another campaign used before: its links and the unsent signatures on phones would count for this
 * one.
 * Call after the slug is written: the unique index has then waited for a transaction that gives the slug up.
 */
export async function claimSlug(tx: Orm, { id, slug }: CampaignRow): Promise<void> {
  const former = await formerOwner(tx, slug)
  if (former && former.id !== id) throw refusal('slug', texts.slugAntigo(former.titulo))
  if (former) await tx.delete(campaignOldSlugs).where(eq(campaignOldSlugs.slug, slug))
}

export const refusal = (field: keyof CampaignFields, message: string) =>
  new AppError('invalid', message, { errors: { [field]: message } })
