// Pages as they go over the wire: rendered at most once per period, compressed once per encoding, served stale while the database is away.
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type LastKnown, lastKnown } from '#server/core/last-known.ts'

export type Encoding = 'br' | 'gzip' | 'identity'

export interface Html {
  status: number
  html: string
  /** What tells this rendering from another; absent when nobody may keep it. */
  version: string | undefined
  headers: Record<string, string>
}

/** Status, headers and bytes, ready for the socket. */
export interface WireAnswer {
  status: number
  etag: string | undefined
  headers: string[]
  /** Bytes as latin1 text: Node then sends headers and body in one piece. */
  body: string
}

export interface WirePage {
  status: number
  version: string | undefined
  encoded(encoding: Encoding): WireAnswer | Promise<WireAnswer>
}

const compressors = {
  br: (html: Buffer) =>
    promisify(brotliCompress)(html, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: html.length },
    }),
  gzip: (html: Buffer) => promisify(gzip)(html),
  identity: async (html: Buffer) => html,
}

export function wirePage({ status, html, version, headers }: Html): WirePage {
  const bytes = Buffer.from(html)
  const digest = version && hash('sha1', version, 'base64url')
  const answers = new Map<Encoding, WireAnswer | Promise<WireAnswer>>()

  async function answer(encoding: Encoding): Promise<WireAnswer> {
    const body = await compressors[encoding](bytes)
    const etag = digest && `"${digest}-${encoding}"`
    const all = {
      ...headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': String(body.length),
      Vary: 'Accept-Encoding',
      ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
      ...(etag && { ETag: etag }),
    }
    const ready = { status, etag, headers: Object.entries(all).flat(), body: body.toString('latin1') }
    answers.set(encoding, ready)
    return ready
  }

  return {
    status,
    version,
    encoded(encoding) {
      const known = answers.get(encoding) ?? answer(encoding)
      if (!answers.has(encoding)) answers.set(encoding, known)
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
        let last: WirePage | undefined
        const renderAgain = async () => {
          const next = await render()
          // Most renderings say what the last one said: its compressed bytes serve on.
          last = last?.version !== undefined && last.version === next.version ? last : wirePage(next)
          return last
        }
        page = lastKnown(renderAgain, { periodMs, onFailure })
        const [oldest] = pages.keys()
        if (pages.size >= maxPages && oldest !== undefined) pages.delete(oldest)
        pages.set(key, page)
      }
      try {
        return await page.get()
      } catch (error) {
        // Addresses that lead nowhere are endless: they are not kept.
        pages.delete(key)
        throw error
      }
    },
  }
}

const choices = new Map<string, Encoding>()

/** The best encoding that the client takes. Browsers send a handful of different lists, so each is read once. */
export function chooseEncoding(acceptEncoding: string | string[] | undefined): Encoding {
  const accepted = String(acceptEncoding ?? '')
  const known = choices.get(accepted)
  if (known) return known
  const names = accepted
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*/))
    .filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? ''))
    .map(([name]) => name)
  const best = names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : 'identity'
  if (choices.size < 200) choices.set(accepted, best)
  return best
}
