import { and, eq, inArray, sql } from 'drizzle-orm'
import { sharePhoto } from '#contract/share.ts'
import { encodeForSharing } from '#server/adapters/images.ts'
import type { Database } from '#server/db/database.ts'
import { addFormat, imagePath } from '#server/db/media.ts'
import { media } from '#server/db/schema.ts'

/**
 * Returns the address of an uploaded image in the format for shared links. The format is created on first use.
 * The address of an image that is not stored is returned unchanged.
 */
export async function asSharePhoto(database: Database, url: string | null): Promise<string | null> {
  const sha256 = imagePath.exec(url ?? '')?.[1]
  if (!sha256 || url?.endsWith(sharePhoto.ending)) return url
  const stored = await database.orm
    .select({ format: media.format, base64: sql<string>`encode(${media.bytes}, 'base64')` })
    .from(media)
    .where(and(eq(media.sha256, sha256), inArray(media.format, ['png', 'og.jpg'])))
  const png = stored.find(({ format }) => format === 'png')
  if (!png) return url
  if (stored.length === 1) await addFormat(database, sha256, await encodeForSharing(Buffer.from(png.base64, 'base64')))
  return `/media/${sha256}${sharePhoto.ending}`
}
