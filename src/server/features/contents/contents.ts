// Contents as administrators manage them: publish, edit, show or hide, reorder, and remove with their images.
import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { AuditChange } from '#contract/admin/audit-log.ts'
import { type ContentFields, contentLabels, type ManagedContent } from '#contract/admin/contents.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { auditChanges } from '#server/core/audit-changes.ts'
import type { EncodedImage } from '#server/core/encoded-image.ts'
import { AppError } from '#server/core/errors.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database } from '#server/db/database.ts'
import { dropUnusedImage, imageUrlOf, lockImages, storeImage } from '#server/db/media.ts'
import { campaigns, carouselContents } from '#server/db/schema.ts'

interface Edit {
  fields: ContentFields
  image: EncodedImage | undefined
}

interface ContentVersion {
  id: number
  updatedAt: string
}

const { contents: texts } = adminMessages
const displayOrder = [asc(carouselContents.ordem), asc(carouselContents.id)]

/** Matches a content that was just published with the same texts and image. */
function isRecentDuplicate({
  titulo,
  categoria,
  descricao,
  imagemUrl,
}: ContentFields & { imagemUrl: string }): SQL | undefined {
  return and(
    eq(carouselContents.imagemUrl, imagemUrl),
    eq(carouselContents.titulo, titulo),
    eq(carouselContents.categoria, categoria),
    eq(carouselContents.descricao, descricao),
    sql`${carouselContents.createdAt} > now() - interval '10 minutes'`,
  )
}

/** `updatedAt` identifies a version in milliseconds, so two versions must differ by at least one. */
const nextVersion = () => sql`greatest(now(), ${carouselContents.updatedAt} + interval '1 millisecond')`

export function createContents({ orm, transaction }: Database) {
  return {
    /** What the site shows, in display order, with the petition of each content if it can be signed. */
    active: () =>
      orm
        .select({ content: carouselContents, campaign: campaigns })
        .from(carouselContents)
        .leftJoin(
          campaigns,
          and(eq(campaigns.id, carouselContents.campaignId), campaigns.isActive, eq(campaigns.status, 'live')),
        )
        .where(eq(carouselContents.isActive, true))
        .orderBy(...displayOrder),

    /** In the order of the site, including hidden contents. */
    all: () => listAll(orm),

    publish: (fields: ContentFields, image: EncodedImage, audit: Audit) =>
      transaction(async (tx) => {
        await petitionTitle(tx, fields.campaignId)
        const imagemUrl = await storeImage(tx, image)
        // A retry after a lost answer finds the content. `storeImage` locks the image, so that two equal requests cannot
        // both insert.
        const [before] = await tx
          .select()
          .from(carouselContents)
          .where(isRecentDuplicate({ ...fields, imagemUrl }))
          .limit(1)
        if (before) return toManagedContent(before)
        await audit(tx, fields.titulo)
        return requireContent(
          await tx
            .insert(carouselContents)
            .values({ ...fields, imagemUrl })
            .returning(),
        )
      }),

    /** Refused if the content changed since the editor loaded it. Without a new image it keeps the old one. */
    edit: ({ id, updatedAt }: ContentVersion, { fields, image }: Edit, audit: Audit) =>
      transaction(async (tx) => {
        const [before] = await tx.select().from(carouselContents).where(eq(carouselContents.id, id)).for('update')
        if (before && toManagedContent(before).updatedAt !== updatedAt) throw new AppError('conflict', texts.conflict)
        const petition = await petitionTitle(tx, fields.campaignId)
        const petitionBefore = before && (await petitionTitle(tx, before.campaignId))
        if (image && before) await lockImages(tx, [imageUrlOf(image), before.imagemUrl])
        const changes = {
          ...fields,
          updatedAt: nextVersion(),
          ...(image && { imagemUrl: await storeImage(tx, image) }),
        }
        const after = requireContent(
          await tx.update(carouselContents).set(changes).where(eq(carouselContents.id, id)).returning(),
        )
        if (image && before) await dropUnusedImage(tx, before.imagemUrl)
        const changed = before
          ? changesBetween({ ...before, campaignId: petitionBefore }, { ...after, campaignId: petition })
          : []
        await audit(tx, after.titulo, changed)
        return after
      }),

    show: (id: number, isActive: boolean, audit: Audit) =>
      transaction(async (tx) => {
        const changes = { isActive, updatedAt: nextVersion() }
        const content = requireContent(
          await tx.update(carouselContents).set(changes).where(eq(carouselContents.id, id)).returning(),
        )
        await audit(tx, `${content.titulo}: ${isActive ? 'no site' : 'fora do site'}`)
        return content
      }),

    /** Refused if the list changed since the administrator loaded it. */
    reorder: ({ ids, before }: { ids: number[]; before: number[] }, audit: Audit) =>
      transaction(async (tx) => {
        const { id, ordem } = carouselContents
        const rows = await tx.select({ id, ordem }).from(carouselContents).orderBy(asc(id)).for('update')
        // Sorted here, because the database sorts before it waits for the row locks.
        const currentIds = rows
          .toSorted((one, other) => one.ordem - other.ordem || one.id - other.id)
          .map((row) => row.id)
        const isCurrent = String(currentIds) === String(before)
        if (!isCurrent || String(sorted(currentIds)) !== String(sorted(ids)))
          throw new AppError('conflict', texts.listChanged)
        await tx
          .update(carouselContents)
          .set({ ordem: positionIn(ids), updatedAt: nextVersion() })
          .where(and(inArray(carouselContents.id, ids), sql`${carouselContents.ordem} <> ${positionIn(ids)}`))
        await audit(tx)
        return listAll(tx)
      }),

    remove: (id: number, audit: Audit) =>
      transaction(async (tx) => {
        const removed = requireContent(await tx.delete(carouselContents).where(eq(carouselContents.id, id)).returning())
        await dropUnusedImage(tx, removed.imagemUrl)
        await audit(tx, removed.titulo)
      }),
  }
}

/** Refuses a petition that does not exist. */
async function petitionTitle(tx: Pick<Database['orm'], 'select'>, id: number | null): Promise<string | null> {
  if (id === null) return null
  const [campaign] = await tx.select({ titulo: campaigns.titulo }).from(campaigns).where(eq(campaigns.id, id))
  if (!campaign) throw new AppError('invalid', texts.petition, { errors: { campaignId: texts.petition } })
  return campaign.titulo
}

interface AuditedContent extends Record<string, unknown> {
  imagemUrl: string
  /** Its title instead of its id. */
  campaignId: string | null | undefined
}

/** A replaced image is listed without values. */
function changesBetween(before: AuditedContent, after: AuditedContent): AuditChange[] {
  const { imagemUrl, ...others } = contentLabels
  return [
    ...auditChanges(others, before, after),
    ...(before.imagemUrl === after.imagemUrl ? [] : [{ field: imagemUrl }]),
  ]
}

async function listAll(orm: Pick<Database['orm'], 'select'>): Promise<ManagedContent[]> {
  return (
    await orm
      .select()
      .from(carouselContents)
      .orderBy(...displayOrder)
  ).map(toManagedContent)
}

const sorted = (ids: number[]) => ids.toSorted((one, other) => one - other)
const positionIn = (ids: number[]): SQL => sql`array_position(${sql.param(ids)}::bigint[], ${carouselContents.id}) - 1`

type Row = typeof carouselContents.$inferSelect

function requireContent([row]: Row[]): ManagedContent {
  if (!row) throw new AppError('not-found', texts.gone)
  return toManagedContent(row)
}

function toManagedContent({ updatedAt, createdAt, ...row }: Row): ManagedContent {
  return { ...row, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}
