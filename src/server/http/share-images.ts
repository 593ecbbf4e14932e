// Preview images of shared links: drawn on the first request, one at a time, and cached.
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { shareSize } from '#contract/share.ts'
import type { Log } from '#server/core/log.ts'
import type { ShareCard } from '#server/core/share-card.ts'
import { matchesEtag } from '#server/http/etag.ts'

interface ShareImage {
  bytes: Buffer
  etag: string
}

export type ShareImages = ReturnType<typeof createShareImages>

export function createShareImages(log: Log, maxImages = 100) {
  const cache = new Map<string, { content: string; image: Promise<ShareImage> }>()
  let lastDrawing: Promise<unknown> = Promise.resolve()

  async function draw(key: string, card: ShareCard): Promise<ShareImage> {
    log.debug({ key }, 'drawing a share image')
    const bytes = await drawInWorker(card)
    log.debug({ key, bytes: bytes.length }, 'share image drawn')
    return { bytes, etag: `"${hash('sha1', bytes, 'base64url')}"` }
  }

  return {
    /** The cached image of the key is used while its content is the same. */
    of(key: string, card: ShareCard): Promise<ShareImage> {
      const content = JSON.stringify(card)
      const cached = cache.get(key)
      const entry = cached?.content === content ? cached : { content, image: lastDrawing.then(() => draw(key, card)) }
      // Moves the entry to the end: the least recently used one is evicted first.
      cache.delete(key)
      cache.set(key, entry)
      if (entry === cached) return entry.image
      lastDrawing = entry.image.catch(() => cache.get(key) === entry && cache.delete(key))
      const [oldest] = cache.keys()
      if (cache.size > maxImages && oldest !== undefined) cache.delete(oldest)
      return entry.image
    },
  }
}

const worker = new URL('../adapters/share-card/share-card-worker.ts', import.meta.url)

/** In a worker thread: signing is not delayed, and the memory of the drawing is returned. */
async function drawInWorker(card: ShareCard): Promise<Buffer> {
  const [bytes]: Uint8Array[] = await once(new Worker(worker, { workerData: card }), 'message')
  if (!bytes) throw new Error('nothing was drawn')
  return Buffer.from(bytes)
}

export function sendShareImage(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag }: ShareImage,
): FastifyReply {
  reply.header('Cache-Control', 'public, max-age=3600, stale-if-error=86400').header('ETag', etag)
  return matchesEtag(request, etag) ? reply.code(304).send() : reply.type(shareSize.type).send(bytes)
}
