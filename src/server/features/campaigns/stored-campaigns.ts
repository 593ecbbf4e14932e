// Campaigns as administrators write them. A changed manifesto becomes a new version; an edit of what is no longer stored is refused.
import { and, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import {
  type CampaignFields,
  type CampaignSummary,
  campaignLabels,
  type StoredCampaign,
  themeNames,
} from '#contract/admin/campaigns.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { campaignLinks } from '#contract/campaign-links.ts'
import { campaignPath } from '#contract/campaigns.ts'
import { messages } from '#contract/messages.ts'
import type { Site } from '#contract/site.ts'
import { auditChanges } from '#server/core/audit-changes.ts'
import { AppError } from '#server/core/errors.ts'
import type { Audit } from '#server/db/audit.ts'
import { codeOf, type Database, type Orm } from '#server/db/database.ts'
import { keepManifesto } from '#server/db/manifestos.ts'
import { dropUnusedImage, holdImagesOf } from '#server/db/media.ts'
import { campaignOldSlugs, campaigns, carouselContents, media, peticoes } from '#server/db/schema.ts'
import type { Campaigns } from '#server/features/campaigns/campaigns.ts'
import { isBlank, sanitizeManifesto } from '#server/features/campaigns/manifesto.ts'
import { asSharePhoto } from '#server/features/campaigns/share-photos.ts'
import type { Tallies } from '#server/features/petitions/tallies.ts'

const { campaign: sentences } = adminMessages
const uniqueViolation = '23505'

type Row = typeof campaigns.$inferSelect

interface Updated {
  campaign: StoredCampaign
  /** The number that the changed manifesto got, if it was changed. */
  newVersion: number | undefined
}

export interface Author {
  username: string
  audit: Audit
}

export interface StoredCampaigns {
  list(): Promise<CampaignSummary[]>
  one(id: number): Promise<StoredCampaign>
  /** Null when it is free, or belongs to the campaign with this id. */
  whySlugIsTaken(slug: string, forId?: number): Promise<string | null>
  /** Where else on the site it is linked. */
  links(id: number): Promise<{ place: string; name: string }[]>
  create(fields: CampaignFields & { isActive: boolean }, by: Author): Promise<StoredCampaign>
  update(id: number, edit: CampaignFields & { revisao: number }, by: Author): Promise<Updated>
  setActive(id: number, isActive: boolean, audit: Audit): Promise<StoredCampaign>
}

interface StoredCampaignDeps {
  database: Database
  tallies: Tallies
  /** What pages show, to be told of every change. */
  shown: Campaigns
  site: Site
}

export function createStoredCampaigns({ database, tallies, shown, site }: StoredCampaignDeps): StoredCampaigns {
  const { orm } = database

  const pathOf = (slug: string) => campaignPath(slug, site.deputado.slug)

  const ownLinks = campaignLinks(site.deputado)

  /** Other pages lead to these by name. */
  function isLinked(slug: string): boolean {
    return pathOf(slug) !== `/p/${slug}` || ownLinks.some((link) => link.slug === slug)
  }

  /** Signatures carry the slug, so it stays once there is one. */
  async function whySlugStays(tx: Pick<Orm, 'select'>, { slug }: Row): Promise<string | null> {
    if (isLinked(slug)) return sentences.slugFixo
    const [signed] = await tx.select({ id: peticoes.id }).from(peticoes).where(eq(peticoes.campanha, slug)).limit(1)
    return signed ? sentences.slugAssinado : null
  }

  async function record(row: Row): Promise<StoredCampaign> {
    return { ...(await summary(row)), slugFixo: await whySlugStays(orm, row) }
  }

  async function summary({ createdAt: _, ...row }: Row) {
    const signatures = (await tallies.signatures()).get(row.slug) ?? 0
    return { ...row, path: pathOf(row.slug), signatures, updatedAt: row.updatedAt.toISOString() }
  }

  /** As it will be stored. Done before anything is locked: pictures take their time. */
  async function cleaned(fields: CampaignFields): Promise<CampaignFields> {
    const manifestoHtml = sanitizeManifesto(fields.manifestoHtml)
    if (isBlank(manifestoHtml)) throw refusal('manifestoHtml', sentences.manifesto)
    return { ...fields, manifestoHtml, ogImageUrl: await asSharePhoto(database, fields.ogImageUrl) }
  }

  /** Runs a change and, once it is committed, lets pages know. */
  async function change(work: (tx: Orm) => Promise<Row>): Promise<StoredCampaign> {
    try {
      const row = await database.transaction(work)
      shown.expire()
      return await record(row)
    } catch (error) {
      if (codeOf(error) === uniqueViolation) throw refusal('slug', sentences.slugOcupado)
      // Only now: the embedded engine lets nobody else read while a transaction is open.
      if (error instanceof Overtaken)
        throw new AppError('conflict', sentences.changed(error.by), undefined, await record(error.stored))
      throw error
    }
  }

  return {
    async list() {
      // What a press changes must not move it from under the finger.
      const rows = await orm.select().from(campaigns).orderBy(desc(campaigns.createdAt), desc(campaigns.id))
      return Promise.all(rows.map(summary))
    },

    async one(id) {
      const [row] = await orm.select().from(campaigns).where(eq(campaigns.id, id))
      return record(found(row))
    },

    async whySlugIsTaken(slug, forId) {
      const [taken] = await orm.select({ id: campaigns.id }).from(campaigns).where(eq(campaigns.slug, slug))
      if (taken && taken.id !== forId) return sentences.slugOcupado
      const former = await formerOwner(orm, slug)
      return former && former.id !== forId ? sentences.slugAntigo(former.titulo) : null
    },

    async links(id) {
      const [row] = await orm.select().from(campaigns).where(eq(campaigns.id, id))
      const { slug } = found(row)
      const { places } = sentences
      // Not followed by what could belong to a longer slug.
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
        ...ownLinks
          .filter((link) => link.slug === slug)
          .map(({ place, text }) => ({ place: places[place], name: text })),
        ...manifestos.map(({ name }) => ({ place: places.manifesto, name })),
        ...contents.map(({ name }) => ({ place: places.content, name })),
      ]
    },

    async create({ isActive, ...fields }, { username: author, audit }) {
      const ready = await cleaned(fields)
      return change(async (tx) => {
        await holdImagesOf(tx, imagesIn(ready))
        await checkImages(tx, ready)
        const [same] = await tx.select().from(campaigns).where(eq(campaigns.slug, ready.slug))
        // A second try of one's own, whose answer was lost: it must not be told that the address is taken.
        const isRetry = same?.alteradaPor === author && same.isActive === isActive && isAlready(same, ready)
        await audit(tx, ready.slug, auditChanges({ baseCount: campaignLabels.baseCount }, { baseCount: 0 }, ready))
        if (isRetry) return same
        const [row] = await tx
          .insert(campaigns)
          .values({ ...ready, isActive, alteradaPor: author })
          .returning()
        await claimSlug(tx, found(row))
        await keepManifesto(tx, found(row))
        return found(row)
      })
    },

    async update(id, { revisao, ...fields }, { username: author, audit }) {
      let newVersion: number | undefined
      const wanted = await cleaned(fields)
      const campaign = await change(async (tx) => {
        const stored = await hold(tx, id)
        await holdImagesOf(tx, [...imagesIn(wanted), stored.heroImageUrl, stored.ogImageUrl])
        await checkImages(tx, wanted)
        // Also a second try of an edit whose answer was lost: it must not be told that somebody else was quicker.
        if (isAlready(stored, wanted)) {
          await audit(tx, stored.slug)
          return stored
        }
        if (stored.revisao !== revisao) throw new Overtaken(stored)
        const fixed = wanted.slug === stored.slug ? null : await whySlugStays(tx, stored)
        if (fixed) throw refusal('slug', fixed)

        const isNewText = wanted.manifestoHtml !== stored.manifestoHtml
        if (isNewText) newVersion = stored.versaoManifesto + 1
        // What was written straight into the database has no version yet.
        await keepManifesto(tx, stored)
        const [row] = await tx
          .update(campaigns)
          .set({
            ...wanted,
            versaoManifesto: newVersion ?? stored.versaoManifesto,
            revisao: stored.revisao + 1,
            alteradaPor: author,
            updatedAt: new Date(),
          })
          .where(eq(campaigns.id, id))
          .returning()
        if (wanted.slug !== stored.slug) {
          await claimSlug(tx, found(row))
          await tx.insert(campaignOldSlugs).values({ slug: stored.slug, campaignId: id })
        }
        await keepManifesto(tx, found(row))
        await dropUnusedImage(tx, stored.heroImageUrl)
        await dropUnusedImage(tx, stored.ogImageUrl)
        await audit(tx, wanted.slug, auditChanges(campaignLabels, audited(stored), audited(found(row))))
        return found(row)
      })
      return { campaign, newVersion }
    },

    setActive: (id, isActive, audit) =>
      change(async (tx) => {
        const stored = await hold(tx, id)
        await audit(tx, stored.slug)
        if (stored.isActive === isActive) return stored
        // Who wrote it last, and when, stays: a conflict names that one. Who switched it is on record among the deeds.
        const [row] = await tx.update(campaigns).set({ isActive }).where(eq(campaigns.id, id)).returning()
        return found(row)
      }),
  }
}

/** Somebody else has written since the edit began. */
class Overtaken extends Error {
  readonly stored: Row
  readonly by: string

  constructor(stored: Row) {
    super('overtaken')
    this.stored = stored
    this.by = stored.alteradaPor ?? 'Outra pessoa'
  }
}

function found(row: Row | undefined): Row {
  if (!row) throw new AppError('not-found', messages.campaign.notFound)
  return row
}

/** Edits of one campaign come one after the other. Nobody who signs waits for this lock. */
async function hold(tx: Orm, id: number): Promise<Row> {
  const [row] = await tx.select().from(campaigns).where(eq(campaigns.id, id)).for('update')
  return found(row)
}

/** The campaign that had this slug before, if one had. */
async function formerOwner(tx: Pick<Orm, 'select'>, slug: string) {
  const [former] = await tx
    .select({ id: campaigns.id, titulo: campaigns.titulo })
    .from(campaignOldSlugs)
    .innerJoin(campaigns, eq(campaigns.id, campaignOldSlugs.campaignId))
    .where(eq(campaignOldSlugs.slug, slug))
  return former
}

/**
 * Refuses a slug that another campaign had before: its links and the signatures kept on phones would count for this one.
 * To be called when the slug is written: the unique index has then waited for who was giving it up.
 */
async function claimSlug(tx: Orm, { id, slug }: Row): Promise<void> {
  const former = await formerOwner(tx, slug)
  if (former && former.id !== id) throw refusal('slug', sentences.slugAntigo(former.titulo))
  if (former) await tx.delete(campaignOldSlugs).where(eq(campaignOldSlugs.slug, slug))
}

const refusal = (field: keyof CampaignFields, sentence: string) =>
  new AppError('invalid', sentence, { [field]: sentence })

function imagesOf({ heroImageUrl, ogImageUrl, manifestoHtml }: CampaignFields) {
  return {
    heroImageUrl: heroImageUrl ? [heroImageUrl] : [],
    ogImageUrl: ogImageUrl ? [ogImageUrl] : [],
    manifestoHtml: manifestoHtml.match(/(?<=")\/media\/[0-9a-f]{64}\.[0-9a-z.]+/g) ?? [],
  }
}

const imagesIn = (fields: CampaignFields) => Object.values(imagesOf(fields)).flat()

/** To be asked while they are held, or one may go before it is named. */
async function checkImages(tx: Orm, fields: CampaignFields): Promise<void> {
  const stored = await storedOf(tx, imagesIn(fields))
  for (const [name, urls] of Object.entries(imagesOf(fields)) as [keyof CampaignFields, string[]][])
    if (!urls.every((url) => stored.has(url))) throw refusal(name, sentences.imagemSumiu)
}

async function storedOf(tx: Orm, urls: string[]): Promise<Set<string>> {
  if (urls.length === 0) return new Set()
  const rows = await tx
    .select({ url: sql<string>`'/media/' || ${media.sha256} || '.' || ${media.formato}` })
    .from(media)
    .where(inArray(media.sha256, [...new Set(urls.map((url) => url.slice('/media/'.length).split('.', 1)[0] ?? ''))]))
  return new Set(rows.map(({ url }) => url))
}

/** As the audit log shows it: a manifesto by its version, an image by being there. */
function audited({ manifestoHtml: _, versaoManifesto, heroImageUrl, ogImageUrl, themeColor, ...row }: Row) {
  return {
    ...row,
    manifestoHtml: `versão ${versaoManifesto}`,
    heroImageUrl: heroImageUrl && 'uma imagem',
    ogImageUrl: ogImageUrl && 'uma imagem',
    themeColor: themeNames[themeColor as keyof typeof themeNames] ?? themeColor,
  }
}

function isAlready(stored: Row, wanted: CampaignFields): boolean {
  return Object.entries(wanted).every(([name, value]) => stored[name as keyof Row] === value)
}
