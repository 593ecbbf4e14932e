// Images by the digest of their content: they never change, so everybody may keep them for ever. And the call that brings new ones.
import { and, eq, sql } from 'drizzle-orm'
import { uploadImage } from '#contract/admin/images.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { downloadParameter, isImageFileName } from '#contract/carousel.ts'
import { httpMessages } from '#contract/messages.ts'
import { askedTogether } from '#server/core/asked-together.ts'
import { AppError } from '#server/core/errors.ts'
import { createInTurn } from '#server/core/in-turn.ts'
import { type Database, isTransient } from '#server/db/database.ts'
import { reserveImage } from '#server/db/media.ts'
import { media } from '#server/db/schema.ts'
import { isKnown } from '#server/http/etag.ts'
import type { App } from '#server/http/mount.ts'
import { mountUpload } from '#server/http/uploads.ts'

const fileName = /^([0-9a-f]{64})\.([0-9a-z.]{3,10})$/
const cacheBytes = 64 * 1024 * 1024
/** An image that was removed is gone from every node after this. */
const trustMs = 10_000

type DownloadQuery = { [downloadParameter]?: unknown }

interface Image {
  tipo: string
  dados: Buffer
  /** When it was last seen in the database. */
  seenAt: number
}

export function mediaRoutes(app: App, { database }: { database: Database }): void {
  const cache = createByteCache(cacheBytes)
  // Anybody may name what is not there, and thousands ask at once for what is: signing waits for the same connections.
  const inTurn = createInTurn({ mostAtOnce: 2, mostWaiting: 200, patienceMs: 3_000 })
  const readForAll = askedTogether((file: string) => inTurn(() => read(database, file)))

  async function find(file: string): Promise<Image | undefined> {
    const known = cache.get(file)
    if (known && performance.now() - known.seenAt > trustMs) {
      // Asked once, whoever else comes meanwhile; while the database is away, what is known is served.
      known.seenAt = performance.now()
      const isThere = await exists(database, file).catch(isTransient)
      if (!isThere) cache.delete(file)
    }
    const image = cache.get(file) ?? (fileName.test(file) ? await readForAll(file) : undefined)
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
      reply.header('Cache-Control', 'public, max-age=31536000, immutable').header('ETag', `"${file}"`).type(image.tipo)
      if (name) reply.header('Content-Disposition', `attachment; filename="${name}"`)
      if (isKnown(request, `"${file}"`)) return reply.code(304).send()
      return image.dados
    },
  )

  mountUpload(app, uploadImage, async (_, { image, audit }) => {
    const { missing } = adminMessages.image
    if (!image) throw new AppError('invalid', missing, { imagem: missing })
    const imagemUrl = await reserveImage(database, image, audit)
    return { success: true, imagemUrl, largura: image.largura, altura: image.altura }
  })
}

async function exists({ orm }: Database, file: string): Promise<boolean> {
  return (await orm.$count(media, named(file))) > 0
}

function named(file: string) {
  const [, sha256 = '', formato = ''] = fileName.exec(file) ?? []
  return and(eq(media.sha256, sha256), eq(media.formato, formato))
}

async function read(database: Database, file: string): Promise<Image | undefined> {
  // Base64 crosses the wire three times faster than the driver's hex.
  const [row] = await database.orm
    .select({ tipo: media.tipo, base64: sql<string>`encode(${media.dados}, 'base64')` })
    .from(media)
    .where(named(file))
  return row && { tipo: row.tipo, dados: Buffer.from(row.base64, 'base64'), seenAt: performance.now() }
}

/** Keeps the images asked for most recently, up to so many bytes. */
function createByteCache(limit: number) {
  const images = new Map<string, Image>()
  let bytes = 0
  function remove(file: string): void {
    bytes -= images.get(file)?.dados.length ?? 0
    images.delete(file)
  }
  return {
    get: (file: string) => images.get(file),
    delete: remove,
    set(file: string, image: Image) {
      remove(file)
      images.set(file, image)
      bytes += image.dados.length
      for (const oldest of images.keys()) {
        if (bytes <= limit) break
        remove(oldest)
      }
    },
  }
}
