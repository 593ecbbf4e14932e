// Images by the digest of their content: they never change, so everybody may keep them for ever. And the call that brings new ones.
import { and, eq, sql } from 'drizzle-orm'
import { uploadImage } from '#contract/admin/images.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { messages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'
import type { Database } from '#server/db/database.ts'
import { reserveImage } from '#server/db/media.ts'
import { media } from '#server/db/schema.ts'
import { isKnown } from '#server/http/etag.ts'
import type { App } from '#server/http/mount.ts'
import { mountUpload } from '#server/http/uploads.ts'

const fileName = /^([0-9a-f]{64})\.([0-9a-z.]{3,10})$/
const cacheBytes = 64 * 1024 * 1024

interface Image {
  tipo: string
  dados: Buffer
}

export function mediaRoutes(app: App, { database }: { database: Database }): void {
  const cache = createByteCache(cacheBytes)

  app.get<{ Params: { file: string } }>('/media/:file', { config: { access: 'anyone' } }, async (request, reply) => {
    const { file } = request.params
    const image = cache.get(file) ?? (await read(database, file))
    if (!image) throw new AppError('not-found', messages.http.notFound)
    cache.set(file, image)
    reply.header('Cache-Control', 'public, max-age=31536000, immutable').header('ETag', `"${file}"`).type(image.tipo)
    if (isKnown(request, `"${file}"`)) return reply.code(304).send()
    return image.dados
  })

  mountUpload(app, uploadImage, async (_, { image, about }) => {
    const { missing } = adminMessages.image
    if (!image) throw new AppError('invalid', missing, { imagem: missing })
    const imagemUrl = await reserveImage(database, image)
    about(imagemUrl)
    return { success: true, imagemUrl, largura: image.largura, altura: image.altura }
  })
}

async function read(database: Database, file: string): Promise<Image | undefined> {
  const [, sha256, formato] = fileName.exec(file) ?? []
  if (!sha256 || !formato) return undefined
  // Base64 crosses the wire three times faster than the driver's hex.
  const [row] = await database.orm
    .select({ tipo: media.tipo, base64: sql<string>`encode(${media.dados}, 'base64')` })
    .from(media)
    .where(and(eq(media.sha256, sha256), eq(media.formato, formato)))
  return row && { tipo: row.tipo, dados: Buffer.from(row.base64, 'base64') }
}

/** Keeps the images asked for most recently, up to so many bytes. */
function createByteCache(limit: number) {
  const images = new Map<string, Image>()
  let bytes = 0
  return {
    get: (file: string) => images.get(file),
    set(file: string, image: Image) {
      if (images.delete(file)) bytes -= image.dados.length
      images.set(file, image)
      bytes += image.dados.length
      for (const [oldest, { dados }] of images) {
        if (bytes <= limit) break
        images.delete(oldest)
        bytes -= dados.length
      }
    },
  }
}
