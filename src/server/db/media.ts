// Stores images, and deletes images that nothing uses any more.
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { EncodedImage, ImageFormat } from '#server/core/encoded-image.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { campaigns, carouselContents, manifestos, media, news, siteSettings } from '#server/db/schema.ts'

/** The database or a transaction. */
type Writer = Pick<Database['orm'], 'insert' | 'update' | 'delete' | 'execute'>

export const imageUrlOf = ({ sha256 }: Pick<EncodedImage, 'sha256'>) => `/media/${sha256}.webp`

/** Stores an image in the transaction that starts to use it. Returns its URL. */
export async function storeImage(tx: Writer, image: EncodedImage): Promise<string> {
  const { sha256, formats } = image
  await lockDigests(tx, [sha256])
  for (const format of formats) await storeFormat(tx, sha256, format)
  return imageUrlOf(image)
}

type StoredFormat = ImageFormat & { reservedUntil?: Date | null }

async function storeFormat(tx: Writer, sha256: string, { bytes, ...format }: StoredFormat): Promise<void> {
  await tx
    .insert(media)
    .values({ sha256, ...format, bytes: sql`decode(${bytes.toString('base64')}, 'base64')` })
    .onConflictDoNothing()
}

/** Adds a format to an image, with the same reservation as the other formats. Does nothing if the image was deleted. */
export async function addFormat({ transaction }: Database, sha256: string, format: ImageFormat): Promise<void> {
  await transaction(async (tx) => {
    await lockDigests(tx, [sha256])
    const [sibling] = await tx
      .select({ reservedUntil: media.reservedUntil })
      .from(media)
      .where(eq(media.sha256, sha256))
      .limit(1)
    if (sibling) await storeFormat(tx, sha256, { ...format, ...sibling })
  })
}

/** Stores an image before anything uses it. If it is still unused after a day, it may be deleted. */
export async function reserveImage({ transaction }: Database, image: EncodedImage, audit: Audit): Promise<string> {
  return transaction(async (tx) => {
    // First, because a transaction that already holds image locks must not wait for another one.
    await lockDigests(tx, [image.sha256])
    await deleteExpiredImages(tx)
    const url = await storeImage(tx, image)
    await tx
      .update(media)
      .set({ reservedUntil: sql`now() + interval '1 day'` })
      .where(sql`${media.sha256} = ${image.sha256}`)
    await audit(tx, url)
    return url
  })
}

/**
 * Deletes unused images whose reservation has expired. Skips images that another transaction has locked: it may
 * be about to use them. The delete is a separate statement, so that it sees everything that was committed before
 * the lock.
 */
async function deleteExpiredImages(tx: Writer): Promise<void> {
  const isExpired = sql`${media.reservedUntil} < now() and not (${isUsed(sql`${media.sha256}`)})`
  const { rows } = await tx.execute<{ sha256: string }>(sql`
    with expired as materialized (select distinct ${media.sha256} from ${media} where ${isExpired})
    select sha256 from expired where pg_try_advisory_xact_lock(hashtextextended(sha256, 0))`)
  const locked = rows.map(({ sha256 }) => sha256)
  if (locked.length > 0) await tx.delete(media).where(and(inArray(media.sha256, locked), isExpired))
}

/** The path of an image in any format. */
export const imagePath = /^\/media\/([0-9a-f]{64})\./

/** The paths of the images in an HTML text. */
export const imagesInHtml = (html: string | null): string[] =>
  html?.match(/(?<=")\/media\/[0-9a-f]{64}\.[0-9a-z.]+/g) ?? []

/** Those of these paths whose image is stored. */
export async function storedImages(tx: Pick<Orm, 'select'>, urls: string[]): Promise<Set<string>> {
  if (urls.length === 0) return new Set()
  const rows = await tx
    .select({ url: sql<string>`'/media/' || ${media.sha256} || '.' || ${media.format}` })
    .from(media)
    .where(inArray(media.sha256, [...new Set(urls.map((url) => imagePath.exec(url)?.[1] ?? ''))]))
  return new Set(rows.map(({ url }) => url))
}

/** Must be called in the transaction that stopped using the image. */
export async function dropUnusedImage(tx: Writer, url: string | null): Promise<void> {
  const sha256 = imagePath.exec(url ?? '')?.[1]
  if (!sha256) return
  await lockDigests(tx, [sha256])
  await tx
    .delete(media)
    .where(
      sql`${media.sha256} = ${sha256} and coalesce(${media.reservedUntil} < now(), true) and not (${isUsed(sql`${sha256}::text`)})`,
    )
}

/**
 * Locks the images of these URLs until the end of the transaction. Must be called once, with all images that the
 * transaction will use or drop.
 */
export async function lockImages(tx: Writer, urls: readonly (string | null)[]): Promise<void> {
  await lockDigests(
    tx,
    urls.flatMap((url) => imagePath.exec(url ?? '')?.[1] ?? []),
  )
}

/**
 * Serializes transactions that store and delete the same image: the second sees the result of the first. The locks are
 * taken in one order to prevent deadlocks.
 */
async function lockDigests(tx: Writer, digests: readonly string[]): Promise<void> {
  for (const sha256 of [...new Set(digests)].toSorted())
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${sha256}, 0))`)
}

/** Checks every column that can contain the URL of an image. */
function isUsed(sha256: SQL): SQL {
  const contains = (text: SQL) => sql`position(${sha256} in ${text}) > 0`
  return sql`
    exists (select 1 from ${carouselContents} where ${contains(sql`${carouselContents.imagemUrl}`)})
    or exists (select 1 from ${campaigns} where ${contains(
      sql`concat_ws(' ', ${campaigns.heroImageUrl}, ${campaigns.ogImageUrl}, ${campaigns.manifestoHtml}, ${campaigns.resultHtml})`,
    )})
    or exists (select 1 from ${manifestos} where ${contains(sql`${manifestos.html}`)})
    or exists (select 1 from ${news} where ${contains(sql`concat_ws(' ', ${news.imageUrl}, ${news.html})`)})
    or exists (select 1 from ${siteSettings} where ${contains(sql`coalesce(${siteSettings.settings} ->> 'logo', '')`)}
      and ${siteSettings.version} = (select max(newest.version) from ${siteSettings} newest))`
}
