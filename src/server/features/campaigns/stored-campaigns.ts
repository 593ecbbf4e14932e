// Campaigns as administrators edit them. A changed manifesto is a new version. An outdated edit is refused.
import { isDeepStrictEqual } from 'node:util'
import { and, eq, ne, sql } from 'drizzle-orm'
import {
  type CampaignFields,
  campaignFields,
  campaignLabels,
  countingModeNames,
  type StoredCampaign,
  shareTextFields,
  themeNames,
} from '#contract/admin/campaigns.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { asSharePhoto } from '#server/adapters/share-photos.ts'
import { auditChanges } from '#server/core/audit-changes.ts'
import { isBlank, sanitizeRichText } from '#server/core/rich-text.ts'
import type { Database } from '#server/db/database.ts'
import { storeManifestoVersion } from '#server/db/manifestos.ts'
import { dropUnusedImage, imagesInHtml, lockImages } from '#server/db/media.ts'
import { campaignOldSlugs, campaigns, carouselContents } from '#server/db/schema.ts'
import {
  type Author,
  type CampaignChanges,
  type CampaignRow,
  claimSlug,
  EditConflict,
  firstPosition,
  formerOwner,
  lockCampaign,
  refusal,
  requireRow,
} from '#server/features/campaigns/campaign-changes.ts'
import { checkImages, imagesOf } from '#server/features/campaigns/campaign-images.ts'

const { campaign: texts } = adminMessages

interface UpdateResult {
  campaign: StoredCampaign
  /** The version of the manifesto, if the edit changed it. */
  newVersion: number | undefined
}

export type StoredCampaigns = ReturnType<typeof createStoredCampaigns>

export function createStoredCampaigns(database: Database, changes: CampaignChanges) {
  const { orm } = database
  const { change, pathOf, siteLinks, toStoredCampaign, whySlugIsFixed } = changes

  /** The fields as stored. Runs before anything is locked, because encoding images is slow. */
  async function sanitize(fields: CampaignFields): Promise<CampaignFields> {
    const manifestoHtml = sanitizeRichText(fields.manifestoHtml)
    if (isBlank(manifestoHtml)) throw refusal('manifestoHtml', texts.manifesto)
    const result = sanitizeRichText(fields.resultHtml ?? '')
    const resultHtml = isBlank(result) ? null : result
    return { ...fields, manifestoHtml, resultHtml, ogImageUrl: await asSharePhoto(database, fields.ogImageUrl) }
  }

  async function update(
    id: number,
    { revisao, ...fields }: CampaignFields & { revisao: number },
    { username: author, audit }: Author,
  ): Promise<UpdateResult> {
    let newVersion: number | undefined
    const clean = await sanitize(fields)
    const campaign = await change(async (tx) => {
      const stored = await lockCampaign(tx, id)
      const dropped = [stored.heroImageUrl, stored.ogImageUrl, ...imagesInHtml(stored.resultHtml)]
      await lockImages(tx, [...imagesOf(clean), ...dropped])
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
      for (const url of dropped) await dropUnusedImage(tx, url)
      await audit(tx, clean.slug, auditChanges(campaignLabels, auditValues(stored), auditValues(requireRow(row))))
      return requireRow(row)
    })
    return { campaign, newVersion }
  }

  return {
    list: changes.list,
    update,

    /** Saves an earlier text of the manifesto as a new version. */
    async restore(id: number, { html, revisao }: { html: string; revisao: number }, author: Author) {
      const [row] = await orm.select().from(campaigns).where(eq(campaigns.id, id))
      const stored = requireRow(row)
      const fields = Object.fromEntries(
        Object.keys(campaignFields.shape).map((name) => [name, stored[name as keyof CampaignRow]]),
      ) as unknown as CampaignFields
      return update(id, { ...fields, manifestoHtml: html, revisao }, author)
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
      const petitionOf = await orm
        .select({ name: carouselContents.titulo })
        .from(carouselContents)
        .where(and(carouselContents.isActive, eq(carouselContents.campaignId, id)))
        .orderBy(carouselContents.ordem, carouselContents.id)
      return [
        ...(pathOf(slug) === `/p/${slug}` ? [] : [{ place: places.own, name: pathOf(slug) }]),
        ...(await siteLinks())
          .filter((link) => link.slug === slug)
          .map(({ place, text }) => ({ place: places[place], name: text })),
        ...manifestos.map(({ name }) => ({ place: places.manifesto, name })),
        ...contents.map(({ name }) => ({ place: places.content, name })),
        ...petitionOf.map(({ name }) => ({ place: places.petitionOf, name })),
      ]
    },

    async create(
      { isActive, ...fields }: CampaignFields & { isActive: boolean },
      { username: author, audit }: Author,
    ): Promise<StoredCampaign> {
      const clean = await sanitize(fields)
      return change(async (tx) => {
        await lockImages(tx, imagesOf(clean))
        await checkImages(tx, clean)
        const [same] = await tx.select().from(campaigns).where(eq(campaigns.slug, clean.slug))
        // A retry after a lost answer must not be refused because its own slug is taken.
        const isRetry = same?.alteradaPor === author && same.isActive === isActive && isUnchanged(same, clean)
        if (isRetry) return same
        await audit(tx, clean.slug, auditChanges(countLabels, countDefaults, countsOf(clean)))
        const [row] = await tx
          .insert(campaigns)
          .values({
            ...clean,
            isActive,
            status: isActive ? 'live' : 'draft',
            ordem: firstPosition,
            alteradaPor: author,
          })
          .returning()
        await claimSlug(tx, requireRow(row))
        await storeManifestoVersion(tx, requireRow(row))
        return requireRow(row)
      })
    },
  }
}

/** What decides the public count is in the audit log from the beginning. */
const { baseCount, countingMode } = campaignLabels
const countLabels = { baseCount, countingMode }
const countsOf = (fields: Pick<CampaignFields, 'baseCount' | 'countingMode'>) => ({
  baseCount: fields.baseCount,
  countingMode: countingModeNames[fields.countingMode],
})
const countDefaults = countsOf({ baseCount: 0, countingMode: 'signed' })

/** The values for the audit log: the version of the manifesto, and only whether there is an image. */
function auditValues(row: CampaignRow) {
  const { versaoManifesto, heroImageUrl, ogImageUrl, themeColor, shareTexts, countingMode } = row
  return {
    ...row,
    ...shareTextFields(shareTexts),
    manifestoHtml: `versão ${versaoManifesto}`,
    heroImageUrl: heroImageUrl && 'uma imagem',
    ogImageUrl: ogImageUrl && 'uma imagem',
    themeColor: themeNames[themeColor as keyof typeof themeNames] ?? themeColor,
    countingMode: countingModeNames[countingMode],
  }
}

function isUnchanged(stored: CampaignRow, fields: CampaignFields): boolean {
  return Object.entries(fields).every(([name, value]) => isDeepStrictEqual(stored[name as keyof CampaignRow], value))
}
