// Campaigns as administrators edit them. A changed manifesto is a new version. An outdated edit is refused.
import { and, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import {
  type CampaignFields,
  type CampaignSummary,
  campaignLabels,
  type StoredCampaign,
  themeNames,
} from '#contract/admin/campaigns.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { campaignLinks, fixedCampaignLinks } from '#contract/campaign-links.ts'
import { campaignPath } from '#contract/campaigns.ts'
import { specifiedLinks } from '#contract/site-menu.ts'
import { auditChanges } from '#server/core/audit-changes.ts'
import { AppError, campaignNotFound } from '#server/core/errors.ts'
import type { Audit } from '#server/db/audit.ts'
import { codeOf, type Database, type Orm } from '#server/db/database.ts'
import { storeManifestoVersion } from '#server/db/manifestos.ts'
import { dropUnusedImage, lockImages } from '#server/db/media.ts'
import { campaignOldSlugs, campaigns, carouselContents, media, peticoes } from '#server/db/schema.ts'
import type { SiteService } from '#server/db/site-settings.ts'
import type { Campaigns } from '#server/features/campaigns/campaigns.ts'
import { isBlank, sanitizeManifesto } from '#server/features/campaigns/manifesto.ts'
import { asSharePhoto } from '#server/features/campaigns/share-photos.ts'
import type { CampaignCounts } from '#server/features/petitions/campaign-counts.ts'

const { campaign: texts } = adminMessages
const uniqueViolation = '23505'

type Row = typeof campaigns.$inferSelect

interface UpdateResult {
  campaign: StoredCampaign
  /** The version of the manifesto, if the edit changed it. */
  newVersion: number | undefined
}

interface Author {
  username: string
  audit: Audit
}

interface StoredCampaignDeps {
  database: Database
  counts: CampaignCounts
  /** The public cache, which expires after every change. */
  publicCampaigns: Campaigns
  site: Pick<SiteService, 'current' | 'deputado'>
}

export type StoredCampaigns = ReturnType<typeof createStoredCampaigns>

export function createStoredCampaigns({ database, counts, publicCampaigns, site }: StoredCampaignDeps) {
  const { orm } = database

  const pathOf = (slug: string) => campaignPath(slug, site.deputado.slug)

  const linkedSlugs = [...Object.values(specifiedLinks(site.deputado)), ...fixedCampaignLinks].map(({ slug }) => slug)

  /** Whether pages of the site link to this slug by name. */
  function isLinked(slug: string): boolean {
    return pathOf(slug) !== `/p/${slug}` || linkedSlugs.includes(slug)
  }

  /** Signatures contain the slug, so it cannot change after the first one. */
  async function whySlugIsFixed(tx: Pick<Orm, 'select'>, { slug }: Row): Promise<string | null> {
    if (isLinked(slug)) return texts.slugFixo
    const [signed] = await tx.select({ id: peticoes.id }).from(peticoes).where(eq(peticoes.campanha, slug)).limit(1)
    return signed ? texts.slugAssinado : null
  }

  async function toStoredCampaign(row: Row): Promise<StoredCampaign> {
    return { ...(await toSummary(row)), slugFixo: await whySlugIsFixed(orm, row) }
  }

  async function toSummary({ createdAt: _, ...row }: Row) {
    const signatures = (await counts.signatures()).get(row.slug) ?? 0
    return { ...row, path: pathOf(row.slug), signatures, updatedAt: row.updatedAt.toISOString() }
  }

  /** The fields as stored. Runs before anything is locked, because encoding images is slow. */
  async function sanitize(fields: CampaignFields): Promise<CampaignFields> {
    const manifestoHtml = sanitizeManifesto(fields.manifestoHtml)
    if (isBlank(manifestoHtml)) throw refusal('manifestoHtml', texts.manifesto)
    return { ...fields, manifestoHtml, ogImageUrl: await asSharePhoto(database, fields.ogImageUrl) }
  }

  /** Runs a change in a transaction, and expires the public cache after the commit. */
  async function change(work: (tx: Orm) => Promise<Row>): Promise<StoredCampaign> {
    try {
      const row = await database.transaction(work)
      publicCampaigns.expire()
      return await toStoredCampaign(row)
    } catch (error) {
      if (codeOf(error) === uniqueViolation) throw refusal('slug', texts.slugOcupado)
      // Read after the transaction: the embedded database runs no other query while a transaction is open.
      if (error instanceof EditConflict)
        throw new AppError('conflict', texts.changed(error.author), { current: await toStoredCampaign(error.stored) })
      throw error
    }
  }

  return {
    async list(): Promise<CampaignSummary[]> {
      // Sorted by creation, which no edit changes: a campaign must not move while its buttons are used.
      const rows = await orm.select().from(campaigns).orderBy(desc(campaigns.createdAt), desc(campaigns.id))
      return Promise.all(rows.map(toSummary))
    },

    async one(id: number): Promise<StoredCampaign> {
      const [row] = await orm.select().from(campaigns).where(eq(campaigns.id, id))
      return toStoredCampaign(requireRow(row))
    },

    /** Null if the slug is free or belongs to the campaign with this id. */
    async whySlugIsTaken(slug: string, forId?: number): Promise<string | null> {
      const [taken] = await orm.select({ id: campaigns.id }).from(campaigns).where(eq(campaigns.slug, slug))
      if (taken && taken.id !== forId) return texts.slugOcupado
      const former = await formerOwner(orm, slug)
      return former && former.id !== forId ? texts.slugAntigo(former.titulo) : null
    },

    /** Where else on the site the campaign is linked. */
    async links(id: number): Promise<{ place: string; name: string }[]> {
      const [row] = await orm.select().from(campaigns).where(eq(campaigns.id, id))
      const { slug } = requireRow(row)
      const { places } = texts
      // The next character must not be one that continues a longer slug.
      const mention = `(${pathOf(slug)}|/p/${slug}|/embed/${slug})($|[^a-z0-9-])`
      const manifestos = await orm
        .select({ name: campaigns.titulo })
        .from(campaigns)
        .where(and(ne(campaigns.id, id), campaigns.isActive, sql`${campaigns.manifestoHtml} ~ ${mention}`))
        .orderBy(campaigns.titulo)
      const contents = await orm
        .select({ name: carouselContents.titulo })
        .from(carouselContents)
        .where(and(carouselContents.isActive, sql`${carouselContents.descricao} ~ ${mention}`))
        .orderBy(carouselContents.ordem, carouselContents.id)
      return [
        ...(pathOf(slug) === `/p/${slug}` ? [] : [{ place: places.own, name: pathOf(slug) }]),
        ...campaignLinks(await site.current())
          .filter((link) => link.slug === slug)
          .map(({ place, text }) => ({ place: places[place], name: text })),
        ...manifestos.map(({ name }) => ({ place: places.manifesto, name })),
        ...contents.map(({ name }) => ({ place: places.content, name })),
      ]
    },

    async create(
      { isActive, ...fields }: CampaignFields & { isActive: boolean },
      { username: author, audit }: Author,
    ): Promise<StoredCampaign> {
      const clean = await sanitize(fields)
      return change(async (tx) => {
        await lockImages(tx, imagesIn(clean))
        await checkImages(tx, clean)
        const [same] = await tx.select().from(campaigns).where(eq(campaigns.slug, clean.slug))
        // A retry after a lost answer must not be refused because its own slug is taken.
        const isRetry = same?.alteradaPor === author && same.isActive === isActive && isUnchanged(same, clean)
        if (isRetry) return same
        await audit(tx, clean.slug, auditChanges({ baseCount: campaignLabels.baseCount }, { baseCount: 0 }, clean))
        const [row] = await tx
          .insert(campaigns)
          .values({ ...clean, isActive, alteradaPor: author })
          .returning()
        await claimSlug(tx, requireRow(row))
        await storeManifestoVersion(tx, requireRow(row))
        return requireRow(row)
      })
    },

    async update(
      id: number,
      { revisao, ...fields }: CampaignFields & { revisao: number },
      { username: author, audit }: Author,
    ): Promise<UpdateResult> {
      let newVersion: number | undefined
      const clean = await sanitize(fields)
      const campaign = await change(async (tx) => {
        const stored = await lockCampaign(tx, id)
        await lockImages(tx, [...imagesIn(clean), stored.heroImageUrl, stored.ogImageUrl])
        await checkImages(tx, clean)
        if (isUnchanged(stored, clean)) {
          // A retry after a lost answer is not refused as a conflict, and its first attempt is in the audit log.
          const isRetry = stored.revisao !== revisao && stored.alteradaPor === author
          if (!isRetry) await audit(tx, stored.slug)
          return stored
        }
        if (stored.revisao !== revisao) throw new EditConflict(stored)
        const whyFixed = clean.slug === stored.slug ? null : await whySlugIsFixed(tx, stored)
        if (whyFixed) throw refusal('slug', whyFixed)

        const isNewText = clean.manifestoHtml !== stored.manifestoHtml
        if (isNewText) newVersion = stored.versaoManifesto + 1
        // A campaign that was written directly into the database has no stored version yet.
        await storeManifestoVersion(tx, stored)
        const [row] = await tx
          .update(campaigns)
          .set({
            ...clean,
            versaoManifesto: newVersion ?? stored.versaoManifesto,
            revisao: stored.revisao + 1,
            alteradaPor: author,
            updatedAt: new Date(),
          })
          .where(eq(campaigns.id, id))
          .returning()
        if (clean.slug !== stored.slug) {
          await claimSlug(tx, requireRow(row))
          await tx.insert(campaignOldSlugs).values({ slug: stored.slug, campaignId: id })
        }
        await storeManifestoVersion(tx, requireRow(row))
        await dropUnusedImage(tx, stored.heroImageUrl)
        await dropUnusedImage(tx, stored.ogImageUrl)
        await audit(tx, clean.slug, auditChanges(campaignLabels, auditValues(stored), auditValues(requireRow(row))))
        return requireRow(row)
      })
      return { campaign, newVersion }
    },

    setActive: (id: number, isActive: boolean, audit: Audit): Promise<StoredCampaign> =>
      change(async (tx) => {
        const stored = await lockCampaign(tx, id)
        await audit(tx, stored.slug)
        if (stored.isActive === isActive) return stored
        // Author and time of the last edit stay, because a conflict message names them. The audit log names the
        // administrator who switched it.
        const [row] = await tx.update(campaigns).set({ isActive }).where(eq(campaigns.id, id)).returning()
        return requireRow(row)
      }),
  }
}

/** Another administrator changed the campaign after this edit began. */
class EditConflict extends Error {
  readonly stored: Row
  readonly author: string

  constructor(stored: Row) {
    super('edit conflict')
    this.stored = stored
    this.author = stored.alteradaPor ?? 'Outra pessoa'
  }
}

function requireRow(row: Row | undefined): Row {
  if (!row) throw campaignNotFound()
  return row
}

/** Serialises the edits of one campaign. Signing does not wait for this lock. */
async function lockCampaign(tx: Orm, id: number): Promise<Row> {
  const [row] = await tx.select().from(campaigns).where(eq(campaigns.id, id)).for('update')
  return requireRow(row)
}

/** The campaign that used this slug before, if any. */
async function formerOwner(tx: Pick<Orm, 'select'>, slug: string) {
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
async function claimSlug(tx: Orm, { id, slug }: Row): Promise<void> {
  const former = await formerOwner(tx, slug)
  if (former && former.id !== id) throw refusal('slug', texts.slugAntigo(former.titulo))
  if (former) await tx.delete(campaignOldSlugs).where(eq(campaignOldSlugs.slug, slug))
}

const refusal = (field: keyof CampaignFields, message: string) =>
  new AppError('invalid', message, { errors: { [field]: message } })

function imagesOf({ heroImageUrl, ogImageUrl, manifestoHtml }: CampaignFields) {
  return {
    heroImageUrl: heroImageUrl ? [heroImageUrl] : [],
    ogImageUrl: ogImageUrl ? [ogImageUrl] : [],
    manifestoHtml: manifestoHtml.match(/(?<=")\/media\/[0-9a-f]{64}\.[0-9a-z.]+/g) ?? [],
  }
}

const imagesIn = (fields: CampaignFields) => Object.values(imagesOf(fields)).flat()

/** Call while the images are locked, otherwise one could be deleted before the campaign refers to it. */
async function checkImages(tx: Orm, fields: CampaignFields): Promise<void> {
  const stored = await storedUrls(tx, imagesIn(fields))
  for (const [name, urls] of Object.entries(imagesOf(fields)) as [keyof CampaignFields, string[]][])
    if (!urls.every((url) => stored.has(url))) throw refusal(name, texts.imagemSumiu)
}

async function storedUrls(tx: Orm, urls: string[]): Promise<Set<string>> {
  if (urls.length === 0) return new Set()
  const rows = await tx
    .select({ url: sql<string>`'/media/' || ${media.sha256} || '.' || ${media.format}` })
    .from(media)
    .where(inArray(media.sha256, [...new Set(urls.map((url) => url.slice('/media/'.length).split('.', 1)[0] ?? ''))]))
  return new Set(rows.map(({ url }) => url))
}

/** The values for the audit log: the version of the manifesto, and only whether there is an image. */
function auditValues({ manifestoHtml: _, versaoManifesto, heroImageUrl, ogImageUrl, themeColor, ...row }: Row) {
  return {
    ...row,
    manifestoHtml: `versão ${versaoManifesto}`,
    heroImageUrl: heroImageUrl && 'uma imagem',
    ogImageUrl: ogImageUrl && 'uma imagem',
    themeColor: themeNames[themeColor as keyof typeof themeNames] ?? themeColor,
  }
}

function isUnchanged(stored: Row, fields: CampaignFields): boolean {
  return Object.entries(fields).every(([name, value]) => stored[name as keyof Row] === value)
}
