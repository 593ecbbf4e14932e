// API client of the browser: one request per call; replies are validated against the contract.
import { type BodyOf, type Endpoint, fillPath, type PathParams, type ReplyOf } from '#contract/endpoint.ts'
import type { ApiFetch } from '#contract/page.ts'
import type { Refusal } from '#contract/refusals.ts'

/** A reply that is not a success. Its message has the form "status: body". */
export class ApiFailure extends Error {
  /** Fastify's name for it: if the data of a page is refused, the server answers the page with the same status. */
  readonly statusCode: number
  readonly refusal: Partial<Refusal>

  constructor(status: number, body: unknown) {
    super(`${status}: ${JSON.stringify(body)}`)
    this.name = 'ApiFailure'
    this.statusCode = status
    this.refusal = (typeof body === 'object' && body) || {}
  }
}

/**
 * Whether the same request may succeed later: after a timeout, a rate limit or an unavailable server (not after a 500),
 * or when the reply is not in our format and so came from another server (as in a network with a login page).
 */
export function isRetryable(status: number, success: unknown): boolean {
  return status > 500 || [408, 425, 429].includes(status) || (status < 500 && success !== false)
}

interface CallOptions<E extends Endpoint> {
  params?: PathParams
  body?: BodyOf<E> | Record<string, unknown>
  /** The same for every attempt of one request. */
  requestId?: string
}

export async function call<E extends Endpoint>(
  fetchApi: ApiFetch,
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<ReplyOf<E>> {
  const { params, body, requestId } = options
  const { status, body: answer } = await fetchApi({
    method: endpoint.method,
    path: endpoint.path,
    body,
    ...(params && { params }),
    ...(requestId !== undefined && { requestId }),
    ...(endpoint.cacheSeconds && { kept: true }),
  })
  if (status < 200 || status >= 300) throw new ApiFailure(status, answer)
  return endpoint.reply.parse(answer) as ReplyOf<E>
}

export const requestTimeoutMs = 30_000

/** Calls over the network. `extraHeaders` is evaluated for every call. */
export const networkFetch =
  (extraHeaders: () => Record<string, string> = () => ({})): ApiFetch =>
  async ({ method, path, params, body, requestId, kept }) => {
    const payload = body === undefined ? null : JSON.stringify(body)
    const response = await fetch(fillPath(path, params), {
      method,
      headers: {
        Accept: 'application/json',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(requestId !== undefined && { 'X-Request-Id': requestId }),
        ...extraHeaders(),
      },
      body: payload,
      // Signing or logging out completes even if the user leaves the page. Browsers limit the size of such requests.
      keepalive: method !== 'GET' && (payload ?? '').length < 10_000,
      // Revalidates cached replies with the server: a displayed count must not decrease.
      cache: kept ? 'default' : 'no-cache',
      signal: timeoutSignal(requestTimeoutMs),
    })
    const text = await response.text()
    try {
      return { status: response.status, body: JSON.parse(text) as unknown }
    } catch {
      return { status: response.status, body: text }
    }
  }

/** Replaces `AbortSignal.timeout`, which many older phones do not have. */
export function timeoutSignal(afterMs: number): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), afterMs)
  return controller.signal
}

export const fetchFromBrowser = networkFetch()

/** Replaces `crypto.randomUUID`, which exists only on https and localhost: phones on a local network need ids too. */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte, index) => {
    const value = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte
    return value.toString(16).padStart(2, '0')
  }).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
