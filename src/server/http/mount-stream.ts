// Mounts endpoints for administrators that reply with a stream; guard, validation and audit log work as in mount.ts.
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { BodyOf, Endpoint, ParamsOf, QueryOf } from '#contract/endpoint.ts'
import { httpMessages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'
import { type AdminCall, type App, check } from '#server/http/mount.ts'

type StreamCall<E extends Endpoint> = Pick<AdminCall<E>, 'params' | 'query' | 'administrator' | 'about'> & {
  body: BodyOf<E>
}

interface StreamEndpoint<E extends Endpoint> {
  endpoint: E
  contentType: string
}

/** How long a stream may continue after its session has ended. */
const sessionCheckMs = 1_000

/** `open` may throw a refusal. The stream is closed early when the client disconnects or its session ends. */
export function mountStream<E extends Endpoint>(
  app: App,
  { endpoint, contentType }: StreamEndpoint<E>,
  open: (call: StreamCall<E>) => Promise<AsyncIterable<Uint8Array>>,
): void {
  const { method, path, access, auditAction } = endpoint
  if (access !== 'administrator') throw new Error(`${method} ${path} is not for administrators`)
  if (!auditAction) throw new Error(`${method} ${path} names no action for the audit log`)

  async function* whileSessionIsOpen(stream: AsyncIterable<Uint8Array>, request: FastifyRequest) {
    let checkedAt = performance.now()
    try {
      for await (const chunk of stream) {
        if (performance.now() - checkedAt >= sessionCheckMs) {
          if (!(await app.sessionIsOpen(request))) throw new AppError('unauthenticated', httpMessages.unauthenticated)
          checkedAt = performance.now()
        }
        yield chunk
      }
    } catch (error) {
      if (!(error instanceof AppError)) app.logFailure(error, request)
      // Fastify cuts the connection, so that a client cannot take a part for the whole.
      throw error
    }
  }

  app.route({
    method,
    url: path,
    // A HEAD request would produce the whole stream in vain.
    ...(method === 'GET' && { exposeHeadRoute: false }),
    config: { access, endpoint, contentType },
    onRequest: app.requireAdministrator,
    handler: async (request, reply) => {
      const { administrator } = request
      if (!administrator) throw new AppError('unauthenticated', httpMessages.unauthenticated)
      let subject = ''
      const stream = await open({
        params: check(endpoint.params, request.params, 'not-found') as ParamsOf<E>,
        query: check(endpoint.query, request.query, 'invalid') as QueryOf<E>,
        body: check(endpoint.body, request.body, 'invalid') as BodyOf<E>,
        administrator,
        about(named) {
          subject = named
        },
      })
      await app.recordAudit({ administrator, action: auditAction, subject })
      return (
        reply
          .type(contentType)
          // Proxies must neither cache the stream nor buffer it.
          .headers({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
          .send(Readable.from(whileSessionIsOpen(stream, request), { objectMode: false }))
      )
    },
  })
}
