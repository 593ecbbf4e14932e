// Turns an endpoint of the contract into a route: parses the request, calls the handler, parses the reply.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as zod from 'zod/v4/core'
import type { AuditChange } from '#contract/admin/audit-log.ts'
import {
  type BodyOf,
  type Endpoint,
  errorsByField,
  fillPath,
  type ParamsOf,
  type PathParams,
  type QueryOf,
  type ReplyOf,
  type Schema,
} from '#contract/endpoint.ts'
import { httpMessages, messages } from '#contract/messages.ts'
import type { RefusalCode, RefusalKind } from '#contract/refusals.ts'
import { AppError } from '#server/core/errors.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Orm } from '#server/db/database.ts'
import { type FormLimits, tooManyRequests } from '#server/http/admission/form-limits.ts'
import { type Administrator, createSecretGuard, type SessionHolder, tokenOf } from '#server/http/guard.ts'
import { prepareResponse, type ResponseCache, sendPrepared } from '#server/http/response-cache.ts'

// For rules without a text of their own: the library's default messages are English.
zod.config({ customError: () => messages.fields.invalido })

export type App = FastifyInstance

interface Call<E extends Endpoint> {
  params: ParamsOf<E>
  query: QueryOf<E>
  /** The same on a retry of the same request, so that the retry is recognised. */
  requestId: string
  /** The client's address, behind trusted proxies the forwarded one. */
  address: string
}

export interface AdminCall<E extends Endpoint> extends Call<E> {
  administrator: SessionHolder
  token: string
  /** The uploaded file. Only endpoints mounted by `mountFileUpload` accept one. */
  upload: Buffer | null
  /** Writes the audit entry of a change in the transaction of the change. */
  audit: Audit
  /** Writes the entry of a search or view of personal data (`readAction`), before the reply. */
  auditRead(subject: string): Promise<void>
  /** Names the subject of an action that only reads; its audit entry is written before the reply. */
  about(subject: string): void
}

export interface NewAuditEntry {
  administrator: Omit<Administrator, 'id'>
  action: string
  subject: string
  changes?: AuditChange[]
}

/** Writes an audit entry, within the transaction if one is given. */
export type RecordAudit = (entry: NewAuditEntry, tx?: Orm) => Promise<void>

type Handler<E extends Endpoint, C> = (body: BodyOf<E>, call: C) => Promise<ReplyOf<E>>

/** A request before validation. */
interface RawCall {
  params?: unknown
  query?: unknown
  body?: unknown
  requestId: string
  address: string
}

/** Every public endpoint by method and path, for pages that call it within the process. */
type Calls = Map<string, (call: RawCall) => Promise<unknown>>

/** What the routes say about themselves, for access.ts and the description of the API. */
export interface RouteConfig {
  access?: Endpoint['access'] | 'operator' | undefined
  endpoint?: Endpoint | undefined
  /** Content type of the reply. Default: JSON. */
  contentType?: string | undefined
  /** Bytes of a multipart form with a file. Without it, the route accepts none. */
  uploadLimit?: number | undefined
  /** The field of the file. */
  uploadField?: string | undefined
}

const json = 'application/json; charset=utf-8'

/** Mounts a public endpoint, or one whose caller holds a link from an e-mail. */
export function mount<E extends Endpoint>(app: App, endpoint: E, handle: Handler<E, Call<E>>): void {
  const { method, path, access, cacheSeconds, fileName } = endpoint
  if (access !== 'anyone' && access !== 'link') throw new Error(`${method} ${path} is not public`)
  const { answer, status } = answering(endpoint, handle)
  app.calls.set(`${method} ${path}`, (call) => answer(call, { ...call }))
  const config = { access, endpoint }
  const isAdmin = path.startsWith('/api/admin/')

  if (method === 'GET' && access === 'anyone' && !isAdmin) {
    if (endpoint.query) throw new Error(`${method} ${path}: the response cache does not distinguish queries`)
    const headers = {
      ...app.commonHeaders,
      'Content-Type': json,
      'Cache-Control': `public, max-age=${cacheSeconds ?? 1}`,
    }
    const effort = cacheSeconds ? 'thorough' : 'quick'
    app.get<{ Params: PathParams }>(path, { config }, async (request, reply) => {
      const { params, query, id, ip } = request
      const raw = { params, query, requestId: id, address: ip }
      const prepared = await app.responses.get(fillPath(path, params), async () => {
        const body = JSON.stringify(await answer(raw, { ...raw }))
        return prepareResponse({ status, body, headers, isCacheable: true, effort })
      })
      return sendPrepared(request, reply, prepared)
    })
    return
  }
  app.route({
    method,
    url: path,
    config,
    ...(method !== 'GET' && { onRequest: app.formLimits.admit }),
    handler: async (request, reply) => {
      const { params, query, body, id, ip } = request
      const raw = { params, query, body, requestId: id, address: ip }
      // A login reply holds a token, the reply to a link belongs to one person.
      if (isAdmin || access === 'link') reply.header('Cache-Control', 'no-store')
      const value = await answer(raw, raw)
      if (fileName) reply.header('Content-Disposition', `attachment; filename="${fileName}"`)
      return reply.code(status).send(value)
    },
  })
}

/**
 * Mounts an endpoint for administrators. The guard runs before the body is parsed, the reply is never cached, and the
 * action is in the audit log before the reply is sent.
 */
export function mountForAdministrators<E extends Endpoint>(
  app: App,
  endpoint: E,
  handle: Handler<E, AdminCall<E>>,
): void {
  const { method, path, access, auditAction, readAction } = endpoint
  if (access !== 'administrator') throw new Error(`${method} ${path} is not for administrators`)
  if (method !== 'GET' && !auditAction) throw new Error(`${method} ${path} names no action for the audit log`)
  const { answer, status } = answering(endpoint, handle)
  app.route({
    method,
    url: path,
    config: { access, endpoint },
    onRequest: app.requireAdministrator,
    handler: async (request, reply) => {
      const { params, query, body, id, ip, administrator, upload } = request
      if (!administrator) throw new AppError('unauthenticated', httpMessages.unauthenticated)
      const raw = { params, query, body, requestId: id, address: ip }
      let isAudited = false
      const audit: Audit = async (tx, subject = '', changes = []) => {
        isAudited = true
        await app.recordAudit({ administrator, action: auditAction ?? '', subject, changes }, tx)
      }
      /** Undefined if the entry is due with a change: a retry of a change writes no second one. */
      let readSubject = method === 'GET' ? '' : undefined
      const about = (subject: string) => {
        readSubject = subject
      }
      const auditRead = async (subject: string) => {
        if (!readAction) throw new Error(`${method} ${path} names no read action for the audit log`)
        await app.recordRead({ administrator, action: readAction, subject })
      }
      const token = tokenOf(request) ?? ''
      const value = await answer(raw, { ...raw, administrator, token, upload, audit, auditRead, about })
      if (auditAction && !isAudited && readSubject !== undefined)
        await app.recordAudit({ administrator, action: auditAction, subject: readSubject })
      // Any change may be visible on public pages.
      if (method !== 'GET') app.responses.invalidate()
      return reply.code(status).header('Cache-Control', 'no-store').send(value)
    },
  })
}

/** Mounts an endpoint for another service that knows a secret. The body is not parsed when the secret is wrong. */
export function mountForWebhook<E extends Endpoint>(
  app: App,
  endpoint: E,
  { secret, handle }: { secret: string | undefined; handle: Handler<E, Call<E>> },
): void {
  const { method, path, access } = endpoint
  if (access !== 'webhook') throw new Error(`${method} ${path} is not a webhook`)
  const { answer, status } = answering(endpoint, handle)
  app.route({
    method,
    url: path,
    config: { access, endpoint },
    onRequest: createSecretGuard(secret, app.formLimits),
    handler: async ({ params, query, body, id, ip }, reply) => {
      const raw = { params, query, body, requestId: id, address: ip }
      return reply
        .code(status)
        .header('Cache-Control', 'no-store')
        .send(await answer(raw, raw))
    },
  })
}

interface SignedWebhook<E extends Endpoint> {
  /** Undefined: the secret is not configured, and every request is refused. */
  isSigned: ((headers: IncomingHttpHeaders, body: Buffer) => boolean) | undefined
  /** Texts of refusals. */
  messages: { signature: string; json: string }
  handle: Handler<E, Call<E> & { rawBody: Buffer }>
}

/** Mounts an endpoint for another service that signs its requests. The body is used only if the signature is right. */
export function mountForSignedWebhook<E extends Endpoint>(
  app: App,
  endpoint: E,
  { isSigned, messages: texts, handle }: SignedWebhook<E>,
): void {
  const { method, path, access } = endpoint
  if (access !== 'signed') throw new Error(`${method} ${path} is not a signed webhook`)
  const { answer, status } = answering(endpoint, handle)
  const refusalOf = (request: FastifyRequest) =>
    app.formLimits.admitGuess(request) ? new AppError('unauthenticated', texts.signature) : tooManyRequests

  app.register(async (scope) => {
    // The signature covers the bytes of the body, whatever its type.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.route({
      method,
      url: path,
      config: { access, endpoint },
      onRequest: (request, _reply, done) => (isSigned ? done() : done(refusalOf(request))),
      handler: async (request, reply) => {
        const { params, query, body, headers, id, ip } = request
        const rawBody = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
        if (!isSigned?.(headers, rawBody)) throw refusalOf(request)
        const raw = { params, query, body: parseJson(rawBody, texts.json), requestId: id, address: ip }
        return reply
          .code(status)
          .header('Cache-Control', 'no-store')
          .send(await answer(raw, { ...raw, rawBody }))
      },
    })
  })
}

function parseJson(body: Buffer, problem: string): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new AppError('invalid', problem)
  }
}

/** Parses the request, calls the handler, and parses its reply. */
function answering<E extends Endpoint, C extends Call<E>>(endpoint: E, handle: Handler<E, C>) {
  const compiled = {
    body: compile(endpoint.body),
    params: compile(endpoint.params),
    query: compile(endpoint.query),
    reply: compile(endpoint.reply),
  }
  /** Handlers may return the same object again, such as the reply of every signature. */
  const parsedReplies = new WeakMap<object, ReplyOf<E>>()

  async function answer({ params, query, body }: RawCall, call: Omit<C, 'params' | 'query'>): Promise<ReplyOf<E>> {
    // The parsed values are written into the call object of this request: a copy would cost signing more than the parsing.
    const parsedCall = call as C
    parsedCall.params = check(compiled.params, params, 'not-found', endpoint.paramsCode) as C['params']
    parsedCall.query = check(compiled.query, query, 'invalid') as C['query']
    const reply = await handle(check(compiled.body, body, 'invalid') as BodyOf<E>, parsedCall)
    const cached = parsedReplies.get(reply as object)
    if (cached) return cached
    // Parsing the reply keeps columns that the contract does not name inside the server.
    const parsed = zod.parse(compiled.reply, reply) as ReplyOf<E>
    parsedReplies.set(reply as object, parsed)
    return parsed
  }
  return { answer, status: endpoint.status ?? (endpoint.method === 'POST' ? 201 : 200) }
}

/** Compiled schemas halve the time of each check. The browser does without, to save bytes. */
function compile<S extends Schema | undefined>(schema: S): S | zod.$ZodType {
  return schema?._zod.def.type === 'object' ? new zod.$ZodObjectJIT(schema._zod.def as zod.$ZodObjectDef) : schema
}

export function check(
  schema: zod.$ZodType | undefined,
  value: unknown,
  refusal: RefusalKind,
  code?: RefusalCode,
): unknown {
  if (!schema) return undefined
  const parsed = zod.safeParse(schema, value)
  if (parsed.success) return parsed.data
  const errors = errorsByField(parsed.error.issues)
  throw new AppError(refusal, Object.values(errors)[0] ?? httpMessages.invalid, { errors, code })
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The client's own request id, if it is a UUID: a retry carries the id of the first attempt. */
export function requestIdOf(request: Pick<FastifyRequest['raw'], 'headers'>): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && uuid.test(given) ? given.toLowerCase() : crypto.randomUUID()
}

declare module 'fastify' {
  interface FastifyInstance {
    calls: Calls
    commonHeaders: Record<string, string>
    formLimits: FormLimits
    /** The rate limit by mailbox. */
    admitMailbox(canonicalEmail: string): boolean
    responses: ResponseCache
    /** Answers open requests and closes the connections; called before `close`. */
    drain(): Promise<void>
    /** Logs an unexpected failure. */
    logFailure(error: unknown, request: Pick<FastifyRequest, 'id' | 'routeOptions'>): void
    requireAdministrator: (request: FastifyRequest) => Promise<void>
    sessionIsOpen: (request: FastifyRequest) => Promise<boolean>
    recordAudit: RecordAudit
    /** Writes an entry for a search or view of personal data. Repetitions in short succession are one entry. */
    recordRead: (entry: NewAuditEntry) => Promise<void>
  }
  interface FastifyRequest {
    upload: Buffer | null
  }
  interface FastifyContextConfig extends RouteConfig {}
}
