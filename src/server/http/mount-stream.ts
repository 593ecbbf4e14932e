// A call of administrators that is answered with a stream: the guard, the checks and the record are those of every other call.
import type { ServerResponse } from 'node:http'
import type { Endpoint, ParamsOf, QueryOf } from '#contract/endpoint.ts'
import { httpMessages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'
import { type AdminCall, type App, check } from '#server/http/mount.ts'

export type StreamCall<E extends Endpoint> = Pick<AdminCall<E>, 'params' | 'query' | 'administrator' | 'about'>

export interface StreamEndpoint<E extends Endpoint> {
  endpoint: E
  contentType: string
}

/** How long a stream may go on after its session has ended. */
const sessionCheckMs = 1_000

/** `open` may refuse; once it answers, the stream itself must tell how it ended. It is ended early when the caller leaves or its session ends. */
export function mountStream<E extends Endpoint>(
  app: App,
  { endpoint, contentType }: StreamEndpoint<E>,
  open: (call: StreamCall<E>) => Promise<AsyncIterable<Uint8Array>>,
): void {
  const { method, path, access, deed } = endpoint
  if (access !== 'administrator') throw new Error(`${method} ${path} is not for administrators`)
  if (!deed) throw new Error(`${method} ${path} does not say what to put on record`)
  app.route({
    method,
    url: path,
    // It would be made for nobody.
    exposeHeadRoute: false,
    config: { access },
    onRequest: app.requireAdministrator,
    handler: async (request, reply) => {
      const { administrator } = request
      if (!administrator) throw new AppError('unauthenticated', httpMessages.unauthenticated)
      let subject = ''
      const stream = await open({
        params: check(endpoint.params, request.params, 'not-found') as ParamsOf<E>,
        query: check(endpoint.query, request.query, 'invalid') as QueryOf<E>,
        administrator,
        about(named) {
          subject = named
        },
      })
      await app.recordDeed({ administrator, deed, subject })
      const { raw } = reply.hijack()
      // Nobody on the way may keep it or gather it before passing it on.
      const headers = { ...app.commonHeaders, 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' }
      raw.writeHead(200, { ...headers, 'Content-Type': contentType })
      let checkedAt = performance.now()
      try {
        for await (const chunk of stream) {
          if (performance.now() - checkedAt >= sessionCheckMs) {
            if (!(await app.sessionIsOpen(request))) raw.destroy()
            checkedAt = performance.now()
          }
          if (raw.destroyed) break
          if (!raw.write(chunk)) await room(raw)
        }
        raw.end()
      } catch (error) {
        // Cut off, so that nobody takes a part for the whole.
        app.noteFailure(error, request)
        raw.destroy()
      }
    },
  })
}

/** Until the caller has taken what was sent, or has left. */
function room(raw: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      raw.off('drain', go).off('close', go)
      resolve()
    }
    raw.on('drain', go).on('close', go)
    if (raw.destroyed) go()
  })
}
