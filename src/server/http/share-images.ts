// Pictures of shared links: drawn when first asked for, one at a time, once for what each says, and kept up to a bound.
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { shareSize } from '#contract/share.ts'
import type { Log } from '#server/core/log.ts'
import type { ShareCard } from '#server/core/poster.ts'
import { isKnown } from '#server/http/etag.ts'

export interface Picture {
  bytes: Buffer
  etag: string
}

export interface ShareImages {
  /** Under each key the last picture drawn is kept, for as long as it would say the same. */
  of(key: string, card: ShareCard): Promise<Picture>
}

export function createShareImages(log: Log, maxPictures = 100): ShareImages {
  const kept = new Map<string, { says: string; picture: Promise<Picture> }>()
  let turn: Promise<unknown> = Promise.resolve()

  async function draw(key: string, card: ShareCard): Promise<Picture> {
    log.debug({ key }, 'drawing a share image')
    const bytes = await drawApart(card)
    log.debug({ key, bytes: bytes.length }, 'share image drawn')
    return { bytes, etag: `"${hash('sha1', bytes, 'base64url')}"` }
  }

  return {
    of(key, card) {
      const says = JSON.stringify(card)
      const known = kept.get(key)
      const entry = known?.says === says ? known : { says, picture: turn.then(() => draw(key, card)) }
      // Asked for last, dropped last.
      kept.delete(key)
      kept.set(key, entry)
      if (entry === known) return entry.picture
      turn = entry.picture.catch(() => kept.get(key) === entry && kept.delete(key))
      const [oldest] = kept.keys()
      if (kept.size > maxPictures && oldest !== undefined) kept.delete(oldest)
      return entry.picture
    },
  }
}

const worker = new URL('../adapters/posters/share-card-worker.ts', import.meta.url)

/** In a thread of its own: who signs meanwhile does not wait, and what the drawing took is given back. */
async function drawApart(card: ShareCard): Promise<Buffer> {
  const [bytes]: Uint8Array[] = await once(new Worker(worker, { workerData: card }), 'message')
  if (!bytes) throw new Error('nothing was drawn')
  return Buffer.from(bytes)
}

export function sendPicture(request: FastifyRequest, reply: FastifyReply, { bytes, etag }: Picture): FastifyReply {
  reply.header('Cache-Control', 'public, max-age=3600, stale-if-error=86400').header('ETag', etag)
  return isKnown(request, etag) ? reply.code(304).send() : reply.type(shareSize.type).send(bytes)
}
