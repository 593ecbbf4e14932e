// Contents as administrators keep them: published, edited, shown or not, put in order, removed with their images.
import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { type ContentFields, contentLabels, type ManagedContent } from '#contract/admin/contents.ts'
import type { AuditChange } from '#contract/admin/deeds.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { auditChanges } from '#server/core/audit-changes.ts'
import type { EncodedImage } from '#server/core/encoded-image.ts'
import { AppError } from '#server/core/errors.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database } from '#server/db/database.ts'
import { dropUnusedImage, holdImagesOf, imageAddress, keepImage } from '#server/db/media.ts'
import { carouselContents } from '#server/db/schema.ts'

export interface ManagedContents {
  /** In the order of the site; also those that it does not show. */
  all(): Promise<ManagedContent[]>
  publish(fields: ContentFields, image: EncodedImage, audit: Audit): Promise<ManagedContent>
  /** Only if it is still what the editor saw. Without an image it keeps its own. */
  edit(seen: Seen, edit: Edit, audit: Audit): Promise<ManagedContent>
  show(id: number, isActive: boolean, audit: Audit): Promise<ManagedContent>
  /** Only if the list still is what the orderer saw. */
  reorder(order: { ids: number[]; before: number[] }, audit: Audit): Promise<ManagedContent[]>
  remove(id: number, audit: Audit): Promise<void>
}

interface Edit {
  fields: ContentFields
  image: EncodedImage | undefined
}

interface Seen {
  id: number
  updatedAt: string
}

const { contents: sentences } = adminMessages
const inOrder = [asc(carouselContents.ordem), asc(carouselContents.id)]

/** Published in the same words, with the same image, a moment ago. */
function isJust({ titulo, categoria, descricao, imagemUrl }: ContentFields & { imagemUrl: string }): SQL | undefined {
  return and(
    eq(carouselContents.imagemUrl, imagemUrl),
    eq(carouselContents.titulo, titulo),
    eq(carouselContents.categoria, categoria),
    eq(carouselContents.descricao, descricao),
    sql`${carouselContents.createdAt} > now() - interval '10 minutes'`,
  )
}

/** Versions are told apart by the millisecond, also when two follow each other within one. */
const nextVersion = () => sql`greatest(now(), ${carouselContents.updatedAt} + interval '1 millisecond')`

export function createManagedContents({ orm, transaction }: Database): ManagedContents {
  return {
    all: () => allOf(orm),

    publish: (fields, image, audit) =>
      transaction(async (tx) => {
        const imagemUrl = await keepImage(tx, image)
        // Sent again because the answer was lost: it is there. Who has the image holds it, so the two never pass each other.
        const [before] = await tx
          .select()
          .from(carouselContents)
          .where(isJust({ ...fields, imagemUrl }))
          .limit(1)
        await audit(tx, fields.titulo)
        if (before) return managed(before)
        return one(
          await tx
            .insert(carouselContents)
            .values({ ...fields, imagemUrl })
            .returning(),
        )
      }),

    edit: ({ id, updatedAt }, { fields, image }, audit) =>
      transaction(async (tx) => {
        const [before] = await tx.select().from(carouselContents).where(eq(carouselContents.id, id)).for('update')
        if (before && managed(before).updatedAt !== updatedAt) throw new AppError('conflict', sentences.conflict)
        if (image && before) await holdImagesOf(tx, [imageAddress(image), before.imagemUrl])
        const changes = { ...fields, updatedAt: nextVersion(), ...(image && { imagemUrl: await keepImage(tx, image) }) }
        const after = one(await tx.update(carouselContents).set(changes).where(eq(carouselContents.id, id)).returning())
        if (image && before) await dropUnusedImage(tx, before.imagemUrl)
        await audit(tx, after.titulo, before ? changesBetween(before, after) : [])
        return after
      }),

    show: (id, isActive, audit) =>
      transaction(async (tx) => {
        const changes = { isActive, updatedAt: nextVersion() }
        const shown = one(await tx.update(carouselContents).set(changes).where(eq(carouselContents.id, id)).returning())
        await audit(tx, `${shown.titulo}: ${isActive ? 'no site' : 'fora do site'}`)
        return shown
      }),

    reorder: ({ ids, before }, audit) =>
      transaction(async (tx) => {
        const { id, ordem } = carouselContents
        const rows = await tx.select({ id, ordem }).from(carouselContents).orderBy(asc(id)).for('update')
        // Put in order here: the database does it before it waits for who is changing them.
        const now = rows.toSorted((one, other) => one.ordem - other.ordem || one.id - other.id).map((row) => row.id)
        const asSeen = String(now) === String(before)
        if (!asSeen || String(sorted(now)) !== String(sorted(ids)))
          throw new AppError('conflict', sentences.listChanged)
        await tx
          .update(carouselContents)
          .set({ ordem: placeIn(ids), updatedAt: nextVersion() })
          .where(and(inArray(carouselContents.id, ids), sql`${carouselContents.ordem} <> ${placeIn(ids)}`))
        await audit(tx)
        return allOf(tx)
      }),

    remove: (id, audit) =>
      transaction(async (tx) => {
        const removed = one(await tx.delete(carouselContents).where(eq(carouselContents.id, id)).returning())
        await dropUnusedImage(tx, removed.imagemUrl)
        await audit(tx, removed.titulo)
      }),
  }
}

/** An image that was replaced has no values to show. */
function changesBetween(before: Row, after: ManagedContent): AuditChange[] {
  const { imagemUrl, ...others } = contentLabels
  return [
    ...auditChanges(others, before, after),
    ...(before.imagemUrl === after.imagemUrl ? [] : [{ field: imagemUrl }]),
  ]
}

async function allOf(orm: Pick<Database['orm'], 'select'>): Promise<ManagedContent[]> {
  return (
    await orm
      .select()
      .from(carouselContents)
      .orderBy(...inOrder)
  ).map(managed)
}

const sorted = (ids: number[]) => ids.toSorted((one, other) => one - other)
const placeIn = (ids: number[]): SQL => sql`array_position(${sql.param(ids)}::bigint[], ${carouselContents.id}) - 1`

type Row = typeof carouselContents.$inferSelect

function one([row]: Row[]): ManagedContent {
  if (!row) throw new AppError('not-found', sentences.gone)
  return managed(row)
}

function managed({ updatedAt, createdAt, ...row }: Row): ManagedContent {
  return { ...row, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}
