// Keeping images, and removing those that nothing uses any more.
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { EncodedImage, ImageFormat } from '#server/core/encoded-image.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database } from '#server/db/database.ts'
import { campaigns, carouselContents, manifestos, media } from '#server/db/schema.ts'

/** The database, or a transaction of it. */
type Writer = Pick<Database['orm'], 'insert' | 'update' | 'delete' | 'execute'>

export const imageAddress = ({ sha256 }: Pick<EncodedImage, 'sha256'>) => `/media/${sha256}.webp`

/** Stores an image in the transaction that starts to use it; answers its address. */
export async function keepImage(tx: Writer, image: EncodedImage): Promise<string> {
  const { sha256, formatos } = image
  await holdImages(tx, [sha256])
  for (const format of formatos) await keepFormat(tx, sha256, format)
  return imageAddress(image)
}

type StoredFormat = ImageFormat & { reservadaAte?: Date | null }

async function keepFormat(tx: Writer, sha256: string, { dados, ...format }: StoredFormat): Promise<void> {
  await tx
    .insert(media)
    .values({ sha256, ...format, dados: sql`decode(${dados.toString('base64')}, 'base64')` })
    .onConflictDoNothing()
}

/** One more format of an image, for as long as the others are kept; none of an image that is gone. */
export async function addFormat({ transaction }: Database, sha256: string, format: ImageFormat): Promise<void> {
  await transaction(async (tx) => {
    await holdImages(tx, [sha256])
    const [sibling] = await tx
      .select({ reservadaAte: media.reservadaAte })
      .from(media)
      .where(eq(media.sha256, sha256))
      .limit(1)
    if (sibling) await keepFormat(tx, sha256, { ...format, ...sibling })
  })
}

/** Stores an image before what will use it; without that it is gone after a day. */
export async function reserveImage({ transaction }: Database, image: EncodedImage, audit: Audit): Promise<string> {
  return transaction(async (tx) => {
    // First: who already holds some must not wait for one more.
    await holdImages(tx, [image.sha256])
    await purge(tx)
    const url = await keepImage(tx, image)
    await tx
      .update(media)
      .set({ reservadaAte: sql`now() + interval '1 day'` })
      .where(sql`${media.sha256} = ${image.sha256}`)
    await audit(tx, url)
    return url
  })
}

/** Leaves alone what somebody holds: they may be about to use it. Two statements, because the second sees what was done before the lock. */
async function purge(tx: Writer): Promise<void> {
  const isForgotten = sql`${media.reservadaAte} < now() and not (${inUse(sql`${media.sha256}`)})`
  const { rows } = await tx.execute<{ sha256: string }>(sql`
    with forgotten as materialized (select distinct ${media.sha256} from ${media} where ${isForgotten})
    select sha256 from forgotten where pg_try_advisory_xact_lock(hashtextextended(sha256, 0))`)
  const ours = rows.map(({ sha256 }) => sha256)
  if (ours.length > 0) await tx.delete(media).where(and(inArray(media.sha256, ours), isForgotten))
}

/** Of any format. */
export const imagePath = /^\/media\/([0-9a-f]{64})\./

/** To be called in the transaction that stopped using the image. */
export async function dropUnusedImage(tx: Writer, url: string | null): Promise<void> {
  const sha256 = imagePath.exec(url ?? '')?.[1]
  if (!sha256) return
  await holdImages(tx, [sha256])
  await tx
    .delete(media)
    .where(
      sql`${media.sha256} = ${sha256} and coalesce(${media.reservadaAte} < now(), true) and not (${inUse(sql`${sha256}::text`)})`,
    )
}

/** The images of these addresses stay as they are until the end of the transaction. To be called once for all that it will name or drop. */
export async function holdImagesOf(tx: Writer, urls: readonly (string | null)[]): Promise<void> {
  await holdImages(
    tx,
    urls.flatMap((url) => imagePath.exec(url ?? '')?.[1] ?? []),
  )
}

/** Two people may keep and remove the same image at the same moment: the second sees what the first did. In one order, so that nobody waits in a circle. */
async function holdImages(tx: Writer, digests: readonly string[]): Promise<void> {
  for (const sha256 of [...new Set(digests)].toSorted())
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${sha256}, 0))`)
}

/** Every place that names an image. */
function inUse(sha256: SQL): SQL {
  const names = (text: SQL) => sql`position(${sha256} in ${text}) > 0`
  return sql`
    exists (select 1 from ${carouselContents} where ${names(sql`${carouselContents.imagemUrl}`)})
    or exists (select 1 from ${campaigns} where ${names(
      sql`concat_ws(' ', ${campaigns.heroImageUrl}, ${campaigns.ogImageUrl}, ${campaigns.manifestoHtml})`,
    )})
    or exists (select 1 from ${manifestos} where ${names(sql`${manifestos.html}`)})`
}
