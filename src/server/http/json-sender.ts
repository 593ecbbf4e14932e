// How an answer of a call goes over the wire: put together once, sent straight to the socket.
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseEncoding, compress } from '#server/http/encoding.ts'
import { isKnown } from '#server/http/etag.ts'

/** An answer and how it goes over the wire: headers are put together once. */
export interface Written {
  value: unknown
  /** The bytes of the answer, one letter each: text that is still to be turned into bytes takes longer to send. */
  wire: string
  etag: string
  /** Of an answer for who asked alone, for anyone, and for who has it already. */
  headers: Record<'own' | 'public' | 'known', string[]>
}

/** Answers straight to the socket: setting headers one by one costs more than the rest of a short answer. */
export function jsonSender(commonHeaders: Record<string, string>) {
  const common = Object.entries(commonHeaders).flat()
  const json = [...common, 'Content-Type', 'application/json; charset=utf-8']
  const smaller = new Map<string, Promise<Buffer>>()

  return {
    write(value: unknown): Written {
      const bytes = Buffer.from(JSON.stringify(value))
      const etag = `"${hash('sha1', bytes, 'base64url')}"`
      // Nothing public depends on who asks, so anyone on the way may keep it for a second.
      const cache = ['Cache-Control', 'public, max-age=1', 'ETag', etag]
      const length = ['Content-Length', String(bytes.length)]
      const headers = {
        own: [...json, ...length],
        public: [...json, ...cache, ...length],
        known: [...common, ...cache],
      }
      return { value, wire: bytes.toString('latin1'), etag, headers }
    },
    send({ raw }: Pick<FastifyReply, 'raw'>, status: number, { wire, headers }: Written): void {
      raw.writeHead(status, headers.own).end(wire, 'latin1')
    },
    sendCacheable(request: FastifyRequest, { raw }: FastifyReply, { wire, etag, headers }: Written): void {
      if (isKnown(request, etag)) raw.writeHead(304, headers.known).end()
      else raw.writeHead(200, headers.public).end(wire, 'latin1')
    },
    /** What many will keep for long is worth its smallest size: compressed once, as hard as possible. */
    async sendKept(request: FastifyRequest, reply: FastifyReply, { answered, keptSeconds }: Kept): Promise<void> {
      const encoding = chooseEncoding(request.headers['accept-encoding'])
      const etag = answered.etag.replace(/"$/, `-${encoding}"`)
      const encoded = smaller.get(etag) ?? compress(Buffer.from(answered.wire, 'latin1'), encoding, 'thorough')
      smaller.set(etag, encoded)
      const body = await encoded
      const cache = ['Cache-Control', `public, max-age=${keptSeconds}`, 'ETag', etag, 'Vary', 'Accept-Encoding']
      const content = ['Content-Length', String(body.length)]
      if (encoding !== 'identity') content.push('Content-Encoding', encoding)
      const { raw } = reply
      if (isKnown(request, etag)) raw.writeHead(304, [...common, ...cache]).end()
      else raw.writeHead(200, [...json, ...cache, ...content]).end(body)
      reply.hijack()
    },
  }
}

interface Kept {
  answered: Written
  keptSeconds: number
}
