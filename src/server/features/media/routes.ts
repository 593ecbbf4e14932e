// Serves images by the digest of their content, which makes them cacheable forever, and accepts uploads.
import { and, eq, sql } from 'drizzle-orm'
import { uploadImage } from '#contract/admin/images.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { downloadParameter, isImageFileName } from '#contract/contents.ts'
import { httpMessages } from '#contract/messages.ts'
import { createBatchLookup } from '#server/core/batch-lookup.ts'
import { createConcurrencyLimit } from '#server/core/concurrency-limit.ts'
import { AppError } from '#server/core/errors.ts'
import { singleFlight } from '#server/core/single-flight.ts'
import { type Database, isTransient } from '#server/db/database.ts'
import { reserveImage } from '#server/db/media.ts'
import { media } from '#server/db/schema.ts'
import { matchesEtag } from '#server/http/etag.ts'
import type { App } from '#server/http/mount.ts'
import { mountUpload } from '#server/http/uploads.ts'

const fileName = /^([0-9a-f]{64})\.([0-9a-z.]{3,10})$/
const cacheBytes = 64 * 1024 * 1024
/** A deleted image disappears from every node after this time. */
const revalidateAfterMs = 10_000

type DownloadQuery = { [downloadParameter]?: unknown }

interface Image {
  contentType: string
  bytes: Buffer
  /** When the image was last found in the database. */
  checkedAt: number
}

export function registerMedia(app: App, { database }: { database: Database }): void {
  const cache = createByteCache(cacheBytes)
  // Clients can request images that do not exist, and thousands of clients can request one image at the same time.
  // Signing uses the same database connections.
  const limited = createConcurrencyLimit({ maxAtOnce: 2, maxWaiting: 200, maxWaitMs: 3_000 })
  const readOnce = singleFlight((file: string) => limited(() => read(database, file)))
  const isKnown = createBatchLookup((files) => findNames(database, files))

  async function load(file: string): Promise<Image | undefined> {
    return fileName.test(file) && (await isKnown(file)) ? readOnce(file) : undefined
  }

  async function find(file: string): Promise<Image | undefined> {
    const cached = cache.get(file)
    if (cached && performance.now() - cached.checkedAt > revalidateAfterMs) {
      // Set before the query, so that concurrent requests do not repeat it. While the database is unavailable, the
      // cached image is served.
      cached.checkedAt = performance.now()
      const isStored = await exists(database, file).catch(isTransient)
      if (!isStored) cache.delete(file)
    }
    const image = cache.get(file) ?? (await load(file))
    if (image) cache.set(file, image)
    return image
  }

  const config = { access: 'anyone' } as const
  app.get<{ Params: { file: string }; Querystring: DownloadQuery }>(
    '/media/:file',
    { config },
    async (request, reply) => {
      const { file } = request.params
      const { [downloadParameter]: name } = request.query
      if (name !== undefined && !isImageFileName(name)) throw new AppError('invalid', httpMessages.invalid)
      const image = await find(file)
      if (!image) throw new AppError('not-found', httpMessages.notFound)
      reply
        .header('Cache-Control', 'public, max-age=31536000, immutable')
        .header('ETag', `"${file}"`)
        .type(image.contentType)
      if (name) reply.header('Content-Disposition', `attachment; filename="${name}"`)
      if (matchesEtag(request, `"${file}"`)) return reply.code(304).send()
      return image.bytes
    },
  )

  mountUpload(app, uploadImage, async (_, { image, audit }) => {
    const { missing } = adminMessages.image
    if (!image) throw new AppError('invalid', missing, { errors: { imagem: missing } })
    const imagemUrl = await reserveImage(database, image, audit)
    return { success: true, imagemUrl, largura: image.width, altura: image.height }
  })
}

/** Which of the names exist, in one query for all of them. */
async function findNames(database: Database, files: string[]): Promise<Map<string, true>> {
  const names = files.map((file) => fileName.exec(file) ?? [])
  const rows = await database.query<{ file: string }>(
    'media-names',
    `select sha256 || '.' || format as file from media
    where (sha256, format) in (select * from unnest($1::text[], $2::text[]))`,
    [names.map(([, sha256]) => sha256), names.map(([, , format]) => format)],
  )
  return new Map(rows.map(({ file }) => [file, true]))
}

async function exists({ orm }: Database, file: string): Promise<boolean> {
  return (await orm.$count(media, hasFileName(file))) > 0
}

function hasFileName(file: string) {
  const [, sha256 = '', format = ''] = fileName.exec(file) ?? []
  return and(eq(media.sha256, sha256), eq(media.format, format))
}

async function read(database: Database, file: string): Promise<Image | undefined> {
  // Base64 transfers three times faster than the driver's hex encoding.
  const [row] = await database.orm
    .select({ contentType: media.contentType, base64: sql<string>`encode(${media.bytes}, 'base64')` })
    .from(media)
    .where(hasFileName(file))
  return row && { contentType: row.contentType, bytes: Buffer.from(row.base64, 'base64'), checkedAt: performance.now() }
}

/** An LRU cache with a size limit in bytes. */
function createByteCache(maxBytes: number) {
  const images = new Map<string, Image>()
  let bytes = 0
  function remove(file: string): void {
    bytes -= images.get(file)?.bytes.length ?? 0
    images.delete(file)
  }
  return {
    get: (file: string) => images.get(file),
    delete: remove,
    set(file: string, image: Image) {
      remove(file)
      images.set(file, image)
      bytes += image.bytes.length
      for (const oldest of images.keys()) {
        if (bytes <= maxBytes) break
        remove(oldest)
      }
    },
  }
}
