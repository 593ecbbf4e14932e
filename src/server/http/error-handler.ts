// Maps errors to status codes. Every refusal is JSON with a Portuguese text, unless a page is rendered for it.
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { httpMessages } from '#contract/messages.ts'
import type { Refusal, RefusalCode, RefusalKind } from '#contract/refusals.ts'
import { AppError } from '#server/core/errors.ts'
import { isTransient } from '#server/db/database.ts'

const statusOf: Record<RefusalKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  gone: 410,
  conflict: 409,
  'too-large': 413,
  unsupported: 415,
  'too-many': 429,
  unavailable: 503,
}

export const retryAfterSeconds = 3

/** Refusals of Fastify and of the HTTP parser. */
const frameworkRefusals: Record<number, Pick<Refusal, 'code' | 'message'>> = {
  404: { code: 'not-found', message: httpMessages.notFound },
  408: { code: 'timeout', message: httpMessages.timeout },
  413: { code: 'too-large', message: httpMessages.tooLarge },
  415: { code: 'unsupported', message: httpMessages.mediaType },
  431: { code: 'too-large', message: httpMessages.headers },
}
const invalid = { code: 'invalid', message: httpMessages.invalid } as const

/** Thrown if the page has a new address; answered with a redirect. */
export class Moved extends Error {
  readonly address: string

  constructor(address: string) {
    super('moved')
    this.address = address
  }
}

interface Outcome {
  status: number
  code: RefusalCode
  message: string
  errors?: Record<string, string> | undefined
  current?: unknown
}

export function outcomeOf(error: unknown): Outcome {
  if (error instanceof AppError) {
    const { refusal, code, message, errors, current } = error
    return { status: statusOf[refusal], code, message, errors, current }
  }
  const status = (error as FastifyError).statusCode ?? 500
  if (isTransient(error) || status === 503) {
    return { status: 503, code: 'unavailable', message: httpMessages.unavailable }
  }
  // A page whose API call was refused shows the text of that refusal.
  const { refusal } = error as { refusal?: Refusal }
  if (status >= 400 && status < 500) {
    const { code, message } = { ...(frameworkRefusals[status] ?? invalid), ...refusal }
    return { status, code, message }
  }
  return { status: 500, code: 'unexpected', message: httpMessages.unexpected }
}

export function sendRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.send(refusalOf(refuse(error, request, reply)))
}

export function refusalOf({ message, code, errors, current }: Outcome): Refusal {
  return { success: false, message, code, ...(errors && { errors }), ...(current !== undefined && { current }) }
}

/** Sets status and headers of a refusal. The caller writes the body, JSON or a page. */
export function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): Outcome {
  const outcome = outcomeOf(error)
  const { status } = outcome
  if (status === 500) request.server.logFailure(error, request)
  request.server.formLimits.refund(request)
  if (status === 429 || status === 503) reply.header('Retry-After', retryAfterSeconds)
  // The request id connects a complaint with its log entry.
  reply.code(status).header('Cache-Control', 'no-store').header('X-Request-Id', request.id)
  return outcome
}

/** Answers requests that the HTTP parser rejects. They do not reach Fastify. */
export function answerClientError({ code }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed) return
  const status = clientErrorStatus[code ?? ''] ?? 400
  const body = Buffer.from(JSON.stringify(refusalOf({ status, ...(frameworkRefusals[status] ?? invalid) })))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    'Cache-Control: no-store',
    'Connection: close',
  ]
  if (socket.writable) socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]))
  socket.destroy()
}

const clientErrorStatus: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }
