// The one place that knows status codes: every refusal and failure leaves through here, as JSON with a Portuguese sentence.
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '#contract/endpoint.ts'
import { httpMessages } from '#contract/messages.ts'
import { AppError, type RefusalKind } from '#server/core/errors.ts'
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

/** What the framework itself refuses, before any of our code runs. */
const sentenceOf: Record<number, string> = {
  404: httpMessages.notFound,
  413: httpMessages.tooLarge,
  415: httpMessages.mediaType,
}

export interface Outcome {
  status: number
  message: string
  errors?: Record<string, string> | undefined
  current?: unknown
}

export function outcomeOf(error: unknown): Outcome {
  if (error instanceof AppError) {
    const { refusal, message, errors, current } = error
    return { status: statusOf[refusal], message, errors, current }
  }
  const status = (error as FastifyError).statusCode ?? 500
  if (isTransient(error) || status === 503) return { status: 503, message: httpMessages.unavailable }
  // A page whose call was refused is refused in the same words.
  const { refusal } = error as { refusal?: Refusal }
  if (status >= 400 && status < 500) {
    return { status, message: refusal?.message ?? sentenceOf[status] ?? httpMessages.invalid }
  }
  return { status: 500, message: httpMessages.unexpected }
}

export function sendRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.send(refusalOf(refuse(error, request, reply)))
}

export function refusalOf({ message, errors, current }: Outcome): Refusal {
  return { success: false, message, ...(errors && { errors }), ...(current !== undefined && { current }) }
}

/** Sets status and headers of a refusal; how it is worded is left to who answers, JSON or a page. */
export function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): Outcome {
  const outcome = outcomeOf(error)
  const { status } = outcome
  if (status === 500) request.server.noteFailure(error, request)
  request.server.gate.giveBack(request)
  if (status === 429 || status === 503) reply.header('Retry-After', retryAfterSeconds)
  // So that a person who complains can be found in the log.
  reply.code(status).header('Cache-Control', 'no-store').header('X-Request-Id', request.id)
  return outcome
}

/** Answers what the HTTP parser refuses: no request reaches the framework. */
export function answerClientError({ code }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed) return
  const [status, message] = clientErrors[code ?? ''] ?? [400, httpMessages.invalid]
  const body = Buffer.from(JSON.stringify(refusalOf({ status, message })))
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

const clientErrors: Record<string, [status: number, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, httpMessages.timeout],
  HPE_HEADER_OVERFLOW: [431, httpMessages.headers],
}
