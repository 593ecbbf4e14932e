// Keeping images, and removing those that nothing uses any more.
import { type SQL, sql } from 'drizzle-orm'
import type { EncodedImage, ImageFormat } from '#server/core/encoded-image.ts'
import type { Database } from '#server/db/database.ts'
import { campaigns, carouselContents, manifestos, media } from '#server/db/schema.ts'

/** The database, or a transaction of it. */
type Writer = Pick<Database['orm'], 'insert' | 'update' | 'delete' | 'execute'>

/** Stores an image in the transaction that starts to use it; answers its address. */
export async function keepImage(tx: Writer, { sha256, formatos }: EncodedImage): Promise<string> {
  await holdImage(tx, sha256)
  for (const format of formatos) await keepFormat(tx, sha256, format)
  return `/media/${sha256}.webp`
}

/** One more format of an image that is there. */
export async function keepFormat(tx: Writer, sha256: string, { dados, ...format }: ImageFormat): Promise<void> {
  await tx
    .insert(media)
    .values({ sha256, ...format, dados: sql`decode(${dados.toString('base64')}, 'base64')` })
    .onConflictDoNothing()
}

/** Stores an image before what will use it; without that it is gone after a day. */
export async function reserveImage({ transaction }: Database, image: EncodedImage): Promise<string> {
  return transaction(async (tx) => {
    await tx.delete(media).where(sql`${media.reservadaAte} < now() and not (${inUse(sql`${media.sha256}`)})`)
    const url = await keepImage(tx, image)
    await tx
      .update(media)
      .set({ reservadaAte: sql`now() + interval '1 day'` })
      .where(sql`${media.sha256} = ${image.sha256}`)
    return url
  })
}

const imagePath = /^\/media\/([0-9a-f]{64})\./

/** To be called in the transaction that stopped using the image. */
export async function dropUnusedImage(tx: Writer, url: string | null): Promise<void> {
  const sha256 = imagePath.exec(url ?? '')?.[1]
  if (!sha256) return
  await holdImage(tx, sha256)
  await tx
    .delete(media)
    .where(
      sql`${media.sha256} = ${sha256} and coalesce(${media.reservadaAte} < now(), true) and not (${inUse(sql`${sha256}::text`)})`,
    )
}

/** Two people may keep and remove the same image at the same moment: the second sees what the first did. */
async function holdImage(tx: Writer, sha256: string): Promise<void> {
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
