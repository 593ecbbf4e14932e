// Pages as they go over the wire: rendered at most once per period, compressed once per encoding, served stale while the database is away.
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type LastKnown, lastKnown } from '#server/core/last-known.ts'

export interface Html {
  status: number
  html: string
  policy: string
}

export interface WirePage extends Html {
  etag: string
  encoded(encoding: Encoding): Promise<Buffer>
}

export type Encoding = 'br' | 'gzip' | 'identity'

const compressors = {
  br: (html: Buffer) =>
    promisify(brotliCompress)(html, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: html.length },
    }),
  gzip: (html: Buffer) => promisify(gzip)(html),
  identity: async (html: Buffer) => html,
}

export function wirePage(page: Html): WirePage {
  const bytes = Buffer.from(page.html)
  const encodings = new Map<Encoding, Promise<Buffer>>()
  return {
    ...page,
    etag: hash('sha1', page.html, 'base64url'),
    encoded(encoding) {
      const known = encodings.get(encoding) ?? compressors[encoding](bytes)
      encodings.set(encoding, known)
      return known
    },
  }
}

const maxPages = 500

export interface HtmlCacheOptions {
  periodMs: number
  onFailure(error: unknown): void
}

export function createHtmlCache({ periodMs, onFailure }: HtmlCacheOptions) {
  const pages = new Map<string, LastKnown<WirePage>>()
  return {
    async get(key: string, render: () => Promise<Html>): Promise<WirePage> {
      let page = pages.get(key)
      if (!page) {
        page = lastKnown(async () => wirePage(await render()), { periodMs, onFailure })
        const [oldest] = pages.keys()
        if (pages.size >= maxPages && oldest !== undefined) pages.delete(oldest)
        pages.set(key, page)
      }
      try {
        const wire = await page.get()
        // Addresses that lead nowhere are endless: they are not kept.
        if (wire.status === 404) pages.delete(key)
        return wire
      } catch (error) {
        pages.delete(key)
        throw error
      }
    },
  }
}

/** The best encoding that the client takes. */
export function chooseEncoding(acceptEncoding: string | string[] | undefined): Encoding {
  const accepted = String(acceptEncoding ?? '')
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*/))
    .filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? ''))
    .map(([name]) => name)
  return accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : 'identity'
}
