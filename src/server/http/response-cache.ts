// The cache of public GET responses: produced at most once per period and path, compressed once per encoding, served
// before Fastify is entered, and served stale while the database is down.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { crc32 } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createSwrCache, type SwrCache } from '#server/core/swr-cache.ts'
import { chooseEncoding, compress, type Effort, type Encoding } from '#server/http/encoding.ts'
import { Moved, outcomeOf } from '#server/http/error-handler.ts'
import { matchesEtag } from '#server/http/etag.ts'

/** What a route produces. */
export interface Content {
  status: number
  body: string
  headers: Record<string, string>
  /** Whether clients and proxies may cache it. Only such responses get an ETag. */
  isCacheable: boolean
  effort?: Effort
}

/** One encoding of a response, ready to be written. */
interface EncodedResponse {
  status: number
  etag: string | undefined
  headers: Record<string, string>
  bytes: Buffer
  /** For `writeHead`, which takes an array faster than an object. */
  headerList: string[]
  notModifiedHeaders: Record<string, string>
  /** The bytes as latin1 text: Node then writes headers and body in one piece. */
  text: string
}

export interface PreparedResponse {
  status: number
  digest: string | undefined
  encoded(encoding: Encoding): EncodedResponse | Promise<EncodedResponse>
}

/** Below this size compression gains nothing. */
const minCompressedBytes = 1_000

export function prepareResponse({ status, body, headers, isCacheable, effort = 'quick' }: Content): PreparedResponse {
  const bytes = Buffer.from(body)
  // A checksum is fast enough to be computed each time the content is produced.
  const digest = isCacheable ? `${crc32(bytes).toString(36)}-${bytes.length}` : undefined
  const isCompressed = bytes.length >= minCompressedBytes || effort === 'thorough'
  const responses = new Map<Encoding, EncodedResponse | Promise<EncodedResponse>>()

  function prepare(encoding: Encoding, encoded: Buffer): EncodedResponse {
    const etag = digest && `"${digest}-${encoding}"`
    const { 'Content-Type': type = '', ...rest } = headers
    const notModifiedHeaders = {
      ...rest,
      ...(isCompressed && { Vary: 'Accept-Encoding' }),
      ...(etag && { ETag: etag }),
    }
    const all = {
      ...notModifiedHeaders,
      'Content-Type': type,
      'Content-Length': String(encoded.length),
      ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
    }
    return {
      ...{ status, etag, bytes: encoded, headers: all, notModifiedHeaders },
      headerList: Object.entries(all).flat(),
      text: encoded.toString('latin1'),
    }
  }

  async function compressed(encoding: 'br' | 'gzip'): Promise<EncodedResponse> {
    const response = prepare(encoding, await compress(bytes, encoding, effort))
    responses.set(encoding, response)
    return response
  }

  return {
    status,
    digest,
    encoded(accepted) {
      const encoding = isCompressed ? accepted : 'identity'
      const cached = responses.get(encoding)
      if (cached) return cached
      const response = encoding === 'identity' ? prepare(encoding, bytes) : compressed(encoding)
      responses.set(encoding, response)
      return response
    },
  }
}

const maxEntries = 500

interface Entry {
  cache: SwrCache<PreparedResponse>
  /** Set by each hit after the first request, so that entries in use survive the eviction. */
  isUsed: boolean
}

interface ResponseCacheOptions {
  periodMs: number
  onFailure(error: unknown): void
}

/** A deactivated or renamed campaign must not be served stale; a database that is down is a passing failure. */
const isFinal = (error: unknown) => error instanceof Moved || outcomeOf(error).status === 404

export type ResponseCache = ReturnType<typeof createResponseCache>

export function createResponseCache(options: ResponseCacheOptions) {
  const entries = new Map<string, Entry>()

  /** Evicts the oldest entry without a hit since the last eviction; entries with hits move to the end. */
  function makeRoom(): void {
    for (const [key, entry] of entries) {
      if (entries.size < maxEntries) return
      entries.delete(key)
      if (!entry.isUsed) return
      entry.isUsed = false
      entries.set(key, entry)
    }
  }

  function createEntry(key: string, produce: () => Promise<PreparedResponse>): Entry {
    let last: PreparedResponse | undefined
    const produceAgain = async () => {
      const next = await produce()
      // Most refreshes produce the same content: its compressed bytes are kept.
      if (last?.digest === undefined || last.digest !== next.digest) last = next
      return last
    }
    const entry = { cache: createSwrCache(produceAgain, { ...options, isFinal }), isUsed: false }
    makeRoom()
    entries.set(key, entry)
    return entry
  }

  return {
    /** Answers from the cache, if there is a fresh entry for exactly this URL. Called before Fastify. */
    serve(request: IncomingMessage, response: ServerResponse): boolean {
      if (request.method !== 'GET') return false
      const entry = entries.get(request.url ?? '')
      const encoded = entry?.cache.peek()?.encoded(chooseEncoding(request.headers['accept-encoding']))
      if (!entry || !encoded || encoded instanceof Promise) return false
      entry.isUsed = true
      const { status, etag, headerList, notModifiedHeaders, text } = encoded
      if (etag && matchesEtag(request, etag)) response.writeHead(304, notModifiedHeaders).end()
      else response.writeHead(status, headerList).end(text, 'latin1')
      return true
    },
    async get(key: string, produce: () => Promise<PreparedResponse>): Promise<PreparedResponse> {
      const cached = entries.get(key)
      if (cached) cached.isUsed = true
      const entry = cached ?? createEntry(key, produce)
      try {
        return await entry.cache.get()
      } catch (error) {
        // The number of invalid addresses is unlimited, so failures are not stored.
        if (entries.get(key) === entry) entries.delete(key)
        throw error
      }
    },
    /** Produces every entry again when it is next requested. */
    invalidate(): void {
      for (const { cache } of entries.values()) cache.expire()
    },
  }
}

/** Sends a prepared response through Fastify. */
export async function sendPrepared(
  request: FastifyRequest,
  reply: FastifyReply,
  prepared: PreparedResponse,
): Promise<FastifyReply> {
  const { status, etag, headers, notModifiedHeaders, bytes } = await prepared.encoded(
    chooseEncoding(request.headers['accept-encoding']),
  )
  if (etag && matchesEtag(request, etag)) return reply.code(304).headers(notModifiedHeaders).send()
  return reply.code(status).headers(headers).send(bytes)
}
