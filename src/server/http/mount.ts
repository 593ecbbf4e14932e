// Turns an endpoint of the contract into a route: parse what came, call, check what goes out.
import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { BodyOf, Endpoint, ParamsOf, ReplyOf, Schema } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { AppError, type RefusalKind } from '#server/core/errors.ts'

export type App = FastifyInstance

export interface Call<E extends Endpoint> {
  params: ParamsOf<E>
  /** The same on a retry of the same request, so that it is not taken for a second one. */
  requestId: string
}

type Handler<E extends Endpoint> = (body: BodyOf<E>, call: Call<E>) => Promise<ReplyOf<E>>

export function mount<E extends Endpoint>(app: App, endpoint: E, handle: Handler<E>): void {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { access: endpoint.access },
    handler: async (request, reply) => {
      const params = check(endpoint.params, request.params, 'not-found') as ParamsOf<E>
      const body = check(endpoint.body, request.body, 'invalid') as BodyOf<E>
      const answer = await handle(body, { params, requestId: request.id })
      // Parsing the answer keeps columns that the contract does not name inside the server.
      const checked = endpoint.reply.parse(answer)
      if (endpoint.method === 'GET' && endpoint.access === 'anyone') return sendCacheable(request, reply, checked)
      if (endpoint.method === 'POST') reply.code(201)
      return checked
    },
  })
}

/** Nothing public depends on who asks, so anyone on the way may keep it for a second. */
function sendCacheable(request: FastifyRequest, reply: FastifyReply, answer: unknown) {
  const payload = JSON.stringify(answer)
  const etag = `"${hash('sha1', payload, 'base64url')}"`
  reply.header('Cache-Control', 'public, max-age=1, stale-while-revalidate=10').header('ETag', etag)
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(payload)
}

function check(schema: Schema | undefined, value: unknown, refusal: RefusalKind): unknown {
  if (!schema) return undefined
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const errors: Record<string, string> = {}
  for (const { path, message } of parsed.error.issues) {
    const field = String(path[0] ?? '')
    if (field) errors[field] ??= message
  }
  throw new AppError(refusal, Object.values(errors)[0] ?? messages.http.invalid, errors)
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The id that the caller chose, if it is a uuid: a retry carries the id of the first try. */
export function requestIdOf(request: Pick<FastifyRequest['raw'], 'headers'>): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && uuid.test(given) ? given : crypto.randomUUID()
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Endpoint['access']
  }
}
