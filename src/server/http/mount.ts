// Turns an endpoint of the contract into a route: parse what came, call, check what goes out.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as zod from 'zod/v4/core'
import type { AuditChange } from '#contract/admin/deeds.ts'
import {
  type BodyOf,
  type Endpoint,
  errorsByField,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
  type Schema,
} from '#contract/endpoint.ts'
import { httpMessages, messages } from '#contract/messages.ts'
import { AppError, type RefusalKind } from '#server/core/errors.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Orm } from '#server/db/database.ts'
import type { Gate } from '#server/http/gate.ts'
import { type Administrator, createSecretGuard, tokenOf } from '#server/http/guard.ts'
import { jsonSender, type Written } from '#server/http/json-sender.ts'

// Rules without a sentence of their own: the library's words are English.
zod.config({ customError: () => messages.fields.invalido })

export type App = FastifyInstance

export interface Call<E extends Endpoint> {
  params: ParamsOf<E>
  query: QueryOf<E>
  /** The same on a retry of the same request, so that it is not taken for a second one. */
  requestId: string
  /** Where the request came from, as far as we can believe it. */
  address: string
}

export interface AdminCall<E extends Endpoint> extends Call<E> {
  administrator: Administrator
  token: string
  /** The file that came with the fields; only calls of http/uploads take one. */
  upload: Buffer | null
  /** For an action that changes the database: writes its entry in the same transaction. */
  audit: Audit
  /** For an action that only reads: what its entry, which is written before the answer, says of it. */
  about(subject: string): void
}

export interface AuditEntry {
  administrator: Administrator
  deed: string
  subject: string
  changes?: AuditChange[]
}

/** Keeps who did what; with a transaction, as part of it. */
export type RecordDeed = (entry: AuditEntry, tx?: Orm) => Promise<void>

type Handler<E extends Endpoint, C> = (body: BodyOf<E>, call: C) => Promise<ReplyOf<E>>

/** A call as it came: nothing is checked yet. */
export interface RawCall {
  params?: unknown
  query?: unknown
  body?: unknown
  requestId: string
  address: string
}

/** Every call that anyone may make, by method and path, for pages that make it within the process. */
export type Calls = Map<string, (call: RawCall) => Promise<unknown>>

/** A call for anyone, or for anyone who holds a link from an e-mail. */
export function mount<E extends Endpoint>(app: App, endpoint: E, handle: Handler<E, Call<E>>): void {
  const { method, path, access, keptSeconds } = endpoint
  if (access !== 'anyone' && access !== 'link') throw new Error(`${method} ${path} is not for anyone`)
  // Also the replies of the admin area that need no session, like the login: they may hold a token.
  const isAdmin = path.startsWith('/api/admin/')
  const headers = { ...app.commonHeaders, ...(isAdmin && { 'Cache-Control': 'no-store' }) }
  const { write, send, sendCacheable, sendKept } = jsonSender(headers)
  const { answer, status } = answering(endpoint, handle, write)
  app.calls.set(`${method} ${path}`, async (call) => (await answer(call, { ...call })).value)
  app.route({
    method,
    url: path,
    config: { access },
    ...(method !== 'GET' && { onRequest: app.gate.admit }),
    handler: async (request, reply) => {
      const { params, query, body, id, ip } = request
      const raw = { params, query, body, requestId: id, address: ip }
      const answered = await answer(raw, raw)
      if (keptSeconds) return sendKept(request, reply, { answered, keptSeconds })
      if (method === 'GET' && !isAdmin) sendCacheable(request, reply, answered)
      else send(reply, status, answered)
      reply.hijack()
    },
  })
}

/**
 * A call for administrators alone: the guard runs before anything is read, nobody on the way may keep the answer, and what
 * was done is in the audit log before it is answered.
 */
export function mountForAdministrators<E extends Endpoint>(
  app: App,
  endpoint: E,
  handle: Handler<E, AdminCall<E>>,
): void {
  const { method, path, access, deed } = endpoint
  if (access !== 'administrator') throw new Error(`${method} ${path} is not for administrators`)
  if (method !== 'GET' && !deed) throw new Error(`${method} ${path} does not say what to put on record`)
  const { write, send } = jsonSender({ ...app.commonHeaders, 'Cache-Control': 'no-store' })
  const { answer, status } = answering(endpoint, handle, write)
  app.route({
    method,
    url: path,
    config: { access },
    onRequest: app.requireAdministrator,
    handler: async (request, reply) => {
      const { params, query, body, id, ip, administrator, upload } = request
      if (!administrator) throw new AppError('unauthenticated', httpMessages.unauthenticated)
      const raw = { params, query, body, requestId: id, address: ip }
      let isAudited = false
      const audit: Audit = async (tx, subject = '', changes = []) => {
        isAudited = true
        await app.recordDeed({ administrator, deed: deed ?? '', subject, changes }, tx)
      }
      let read = ''
      const about = (subject: string) => {
        read = subject
      }
      const token = tokenOf(request) ?? ''
      const answered = await answer(raw, { ...raw, administrator, token, upload, audit, about })
      if (deed && !isAudited) await app.recordDeed({ administrator, deed, subject: read })
      send(reply, status, answered)
      reply.hijack()
    },
  })
}

/** A call for another service of ours, which knows a secret. Nothing is read of whom does not. */
export function mountForWebhook<E extends Endpoint>(
  app: App,
  endpoint: E,
  { secret, handle }: { secret: string | undefined; handle: Handler<E, Call<E>> },
): void {
  const { method, path, access } = endpoint
  if (access !== 'webhook') throw new Error(`${method} ${path} is not a webhook`)
  const { write, send } = jsonSender({ ...app.commonHeaders, 'Cache-Control': 'no-store' })
  const { answer, status } = answering(endpoint, handle, write)
  app.route({
    method,
    url: path,
    config: { access },
    onRequest: createSecretGuard(secret, app.gate),
    handler: async ({ params, query, body, id, ip }, reply) => {
      const raw = { params, query, body, requestId: id, address: ip }
      const answered = await answer(raw, raw)
      send(reply, status, answered)
      reply.hijack()
    },
  })
}

/** What answers a call: parse what came, handle it, check what goes out. */
function answering<E extends Endpoint, C extends Call<E>>(
  endpoint: E,
  handle: Handler<E, C>,
  write: (value: unknown) => Written,
) {
  const compiled = {
    body: compile(endpoint.body),
    params: compile(endpoint.params),
    query: compile(endpoint.query),
    reply: compile(endpoint.reply),
  }
  const written = new WeakMap<object, Written>()

  async function answer({ params, query, body }: RawCall, call: Omit<C, 'params' | 'query'>): Promise<Written> {
    // Written into the call, which belongs to this request alone: a copy for each costs who signs more than the check.
    const checked = call as C
    checked.params = check(compiled.params, params, 'not-found') as C['params']
    checked.query = check(compiled.query, query, 'invalid') as C['query']
    const reply = await handle(check(compiled.body, body, 'invalid') as BodyOf<E>, checked)
    // The same object as before says the same: counters are asked for more often than they change.
    const known = written.get(reply as object)
    if (known) return known
    // Parsing the answer keeps columns that the contract does not name inside the server.
    const fresh = write(zod.parse(compiled.reply, reply))
    written.set(reply as object, fresh)
    return fresh
  }
  return { answer, status: endpoint.status ?? (endpoint.method === 'POST' ? 201 : 200) }
}

/** The browser is spared the code that compiles a schema; here it halves the time of each check. */
function compile<S extends Schema | undefined>(schema: S): S | zod.$ZodType {
  return schema?._zod.def.type === 'object' ? new zod.$ZodObjectJIT(schema._zod.def as zod.$ZodObjectDef) : schema
}

export function check(schema: zod.$ZodType | undefined, value: unknown, refusal: RefusalKind): unknown {
  if (!schema) return undefined
  const parsed = zod.safeParse(schema, value)
  if (parsed.success) return parsed.data
  const errors = errorsByField(parsed.error.issues)
  throw new AppError(refusal, Object.values(errors)[0] ?? httpMessages.invalid, errors)
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The id that the caller chose, if it is a uuid: a retry carries the id of the first try. */
export function requestIdOf(request: Pick<FastifyRequest['raw'], 'headers'>): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && uuid.test(given) ? given.toLowerCase() : crypto.randomUUID()
}

declare module 'fastify' {
  interface FastifyInstance {
    calls: Calls
    commonHeaders: Record<string, string>
    gate: Gate
    /** Something failed that is nobody's mistake but ours: for the log. */
    noteFailure(error: unknown, request: Pick<FastifyRequest, 'id' | 'routeOptions'>): void
    requireAdministrator: (request: FastifyRequest) => Promise<void>
    sessionIsOpen: (request: FastifyRequest) => Promise<boolean>
    recordDeed: RecordDeed
    /** What pages show has changed: to be called by who changed it. Other nodes notice within two seconds. */
    expirePages(): void
  }
  interface FastifyRequest {
    upload: Buffer | null
  }
  interface FastifyContextConfig {
    access?: Endpoint['access'] | 'operator'
  }
}
