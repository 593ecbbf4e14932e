// How the browser calls the server: one request per call, the answer checked against the contract.
import {
  type BodyOf,
  type Endpoint,
  fillPath,
  type PathParams,
  type Refusal,
  type ReplyOf,
} from '#contract/endpoint.ts'
import type { ApiFetch } from '#contract/page.ts'

/** An answer that is not a success. Its message has the form "status: body". */
export class ApiFailure extends Error {
  /** Named as the server's framework names it, so that a page whose data is refused is refused alike. */
  readonly statusCode: number
  readonly refusal: Partial<Refusal>

  constructor(status: number, body: unknown) {
    super(`${status}: ${JSON.stringify(body)}`)
    this.name = 'ApiFailure'
    this.statusCode = status
    this.refusal = (typeof body === 'object' && body) || {}
  }
}

/** Too many, too early, a server in trouble, or somebody else who answered in its place: the same may go well later. */
export function mayPass(status: number, success: unknown): boolean {
  return status > 500 || [408, 425, 429].includes(status) || (status < 500 && success !== false)
}

interface CallOptions<E extends Endpoint> {
  params?: PathParams
  body?: BodyOf<E> | Record<string, unknown>
  /** The same for every try of one request. */
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
    ...(endpoint.keptSeconds && { kept: true }),
  })
  if (status < 200 || status >= 300) throw new ApiFailure(status, answer)
  return endpoint.reply.parse(answer) as ReplyOf<E>
}

export const patienceMs = 30_000

/** Calls over the network, each with the headers that `more` gives at that moment. */
export const networkFetch =
  (more: () => Record<string, string> = () => ({})): ApiFetch =>
  async ({ method, path, params, body, requestId, kept }) => {
    const sent = body === undefined ? null : JSON.stringify(body)
    const response = await fetch(fillPath(path, params), {
      method,
      headers: {
        Accept: 'application/json',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(requestId !== undefined && { 'X-Request-Id': requestId }),
        ...more(),
      },
      body: sent,
      // Who leaves the page has still signed, or logged out. Browsers take so much and no more.
      keepalive: method !== 'GET' && (sent ?? '').length < 10_000,
      // Ask the server whether what the browser keeps is still true: a count must not fall back.
      cache: kept ? 'default' : 'no-cache',
      signal: givingUp(patienceMs),
    })
    const text = await response.text()
    try {
      return { status: response.status, body: JSON.parse(text) as unknown }
    } catch {
      return { status: response.status, body: text }
    }
  }

/** `AbortSignal.timeout` is younger than many phones. */
export function givingUp(afterMs: number): AbortSignal {
  const giving = new AbortController()
  setTimeout(() => giving.abort(), afterMs)
  return giving.signal
}

export const fetchFromBrowser = networkFetch()

/** `crypto.randomUUID` exists only on https and localhost; phones on a local network need one too. */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte
    return marked.toString(16).padStart(2, '0')
  }).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
