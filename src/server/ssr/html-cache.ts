// Pages as they go over the wire: rendered at most once per period, compressed once per encoding, served stale while the database is away.
import { crc32 } from 'node:zlib'
import { type LastKnown, lastKnown } from '#server/core/last-known.ts'
import { compress, type Encoding } from '#server/http/encoding.ts'

export interface Html {
  status: number
  html: string
  /** Whether others may keep it. */
  lasting: boolean
  headers: Record<string, string>
}

/** Status, headers and bytes, ready for the socket. */
export interface WireAnswer {
  status: number
  etag: string | undefined
  headers: string[]
  /** Compressed bytes are written as latin1 text: Node then sends headers and body in one piece. */
  body: Buffer | string
}

export interface WirePage {
  status: number
  digest: string | undefined
  encoded(encoding: Encoding): WireAnswer | Promise<WireAnswer>
}

export function wirePage({ status, html, lasting, headers }: Html): WirePage {
  // Bytes lie outside the heap: kept as text, every page would be copied about by the garbage collector.
  const bytes = Buffer.from(html)
  // Of every byte, so that another build is told apart; a checksum is quick enough to take at each drawing.
  const digest = lasting ? `${crc32(bytes).toString(36)}-${bytes.length}` : undefined
  const answers = new Map<Encoding, WireAnswer | Promise<WireAnswer>>()

  function answer(encoding: Encoding, body: Buffer | string): WireAnswer {
    const etag = digest && `"${digest}-${encoding}"`
    const all = {
      ...headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': String(body.length),
      Vary: 'Accept-Encoding',
      ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
      ...(etag && { ETag: etag }),
    }
    return { status, etag, headers: Object.entries(all).flat(), body }
  }

  async function compressed(encoding: 'br' | 'gzip'): Promise<WireAnswer> {
    const smaller = await compress(bytes, encoding, 'quick')
    const ready = answer(encoding, smaller.toString('latin1'))
    answers.set(encoding, ready)
    return ready
  }

  return {
    status,
    digest,
    encoded(encoding) {
      const known = answers.get(encoding)
      if (known) return known
      const made = encoding === 'identity' ? answer(encoding, bytes) : compressed(encoding)
      answers.set(encoding, made)
      return made
    },
  }
}

const maxPages = 500

export interface HtmlCacheOptions {
  periodMs: number
  onFailure(error: unknown): void
  /** Whether a failure says that the page is no longer there. */
  isFinal(error: unknown): boolean
}

export function createHtmlCache(options: HtmlCacheOptions) {
  const pages = new Map<string, LastKnown<WirePage>>()

  /** The one that nobody has asked for the longest makes room. */
  function find(key: string): LastKnown<WirePage> | undefined {
    const page = pages.get(key)
    if (page) {
      pages.delete(key)
      pages.set(key, page)
    }
    return page
  }

  return {
    /** The page, if it is there without waiting. */
    known: (key: string): WirePage | undefined => find(key)?.known(),
    async get(key: string, render: () => Promise<WirePage>): Promise<WirePage> {
      let page = find(key)
      if (!page) {
        let last: WirePage | undefined
        const renderAgain = async () => {
          const next = await render()
          // Most renderings say what the last one said: its compressed bytes serve on.
          if (last?.digest === undefined || last.digest !== next.digest) last = next
          return last
        }
        page = lastKnown(renderAgain, options)
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
    /** Every page is drawn anew when it is next asked for. */
    expire(): void {
      for (const page of pages.values()) page.expire()
    },
  }
}
