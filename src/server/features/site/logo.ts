import { and, eq, inArray, sql } from 'drizzle-orm'
import { encodeLogo } from '#server/adapters/images.ts'
import type { Database } from '#server/db/database.ts'
import { addFormat, imagePath } from '#server/db/media.ts'
import { media } from '#server/db/schema.ts'

/**
 * Returns the path of an uploaded image in the format for logos, which is created on first use. The path of an image
 * that is not stored is returned unchanged.
 */
export async function asLogo(database: Database, url: string): Promise<string> {
  const sha256 = imagePath.exec(url)?.[1]
  if (!sha256 || url.endsWith('.logo.webp')) return url
  const stored = await database.orm
    .select({ format: media.format, base64: sql<string>`encode(${media.bytes}, 'base64')` })
    .from(media)
    .where(and(eq(media.sha256, sha256), inArray(media.format, ['png', 'logo.webp'])))
  const png = stored.find(({ format }) => format === 'png')
  if (!png) return url
  if (stored.length === 1) await addFormat(database, sha256, await encodeLogo(Buffer.from(png.base64, 'base64')))
  return `/media/${sha256}.logo.webp`
}
