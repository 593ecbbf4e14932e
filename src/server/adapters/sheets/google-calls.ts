// Calls to the Google API, with token and timeout. Failures tell whether a retry helps and whether a write was made.
import { setTimeout as delay } from 'node:timers/promises'
import { type GoogleAccount, tokenRequest } from '#server/adapters/sheets/google-account.ts'
import { reasons } from '#server/adapters/sheets/reasons.ts'
import { SheetFailure } from '#server/adapters/sheets/spreadsheet.ts'

/** An aborted read costs nothing; an aborted write may still be made. */
const baseTimeoutMs = { token: 2_000, read: 2_000, write: 4_000 }
const maxTimeoutMs = 30_000
/** Tokens are renewed this long before they expire. */
const tokenMarginMs = 60_000

export interface GoogleCalls {
  /** Waits for the rate limit. `urgent` does not wait: during a wait, people could change the tab. */
  read<T>(path: string, priority?: 'urgent'): Promise<T>
  /** After it was sent and not rejected, the write may have been made. */
  write<T>(path: string, body: object): Promise<T>
}

interface GoogleCallOptions {
  account: GoogleAccount
  /** Base URL of the API, without a trailing slash. */
  url: string
  /** Aborts running calls when the process stops. */
  stopSignal(): AbortSignal
  readLimit?: ReadLimit | undefined
}

/** Rate limit of reads. Only one node uses the spreadsheet at a time, so each node counts its own reads. */
export interface ReadLimit {
  most: number
  withinMs: number
}

/** Google allows 60 reads per minute and account; reading many tabs needs more. */
const googleReadPace: ReadLimit = { most: 50, withinMs: 60_000 }

interface Answer {
  status: number
  body: string
}

export function createGoogleCalls(options: GoogleCallOptions): GoogleCalls {
  const { account, url, stopSignal, readLimit = googleReadPace } = options
  let token: { value: string; validUntil: number } | undefined
  /** Recent timeouts per kind of call. */
  const timeouts = { token: 0, read: 0, write: 0 }
  /** Times of the last reads. */
  let reads: number[] = []

  async function beforeRead(priority?: 'urgent'): Promise<void> {
    const { most: max, withinMs } = readLimit
    const oldest = reads.at(-max)
    const waitMs = oldest === undefined ? 0 : oldest + withinMs - performance.now()
    if (waitMs > 0 && priority !== 'urgent') {
      await delay(waitMs, undefined, { signal: stopSignal() }).catch((error) => {
        throw new SheetFailure(reasons.quota, {}, error)
      })
    }
    reads = [...reads, performance.now()].slice(-max)
  }

  async function exchange(kind: keyof typeof timeouts, address: string, init: RequestInit): Promise<Answer> {
    // Each repeated timeout doubles the limit, because large tabs are slow.
    const timeoutMs = baseTimeoutMs[kind] * 2 ** Math.max(0, timeouts[kind] - 1)
    const timeout = AbortSignal.timeout(Math.min(timeoutMs, maxTimeoutMs))
    try {
      const signal = AbortSignal.any([timeout, stopSignal()])
      const response = await fetch(address, { ...init, signal, redirect: 'error' })
      const answer = { status: response.status, body: await response.text() }
      timeouts[kind] = Math.max(0, timeouts[kind] - 1)
      return answer
    } catch (error) {
      if (timeout.aborted) timeouts[kind] += 1
      throw new SheetFailure(timeout.aborted ? reasons.silent : reasons.unreachable, { unknown: true }, error)
    }
  }

  async function accessToken(): Promise<string> {
    if (token && token.validUntil > Date.now()) return token.value
    const requestedAt = Date.now()
    const answer = await exchange('token', account.tokenUri, { method: 'POST', body: tokenRequest(account) })
    // Bad gateways and quotas are temporary; a revoked key is permanent.
    if (answer.status === 400 || answer.status === 401) throw new SheetFailure(reasons.account, { permanent: true })
    if (answer.status !== 200) throw new SheetFailure(reasons.broken(answer.status), {})
    const { access_token, expires_in } = parsed<{ access_token: string; expires_in: number }>(answer)
    token = { value: access_token, validUntil: requestedAt + expires_in * 1000 - tokenMarginMs }
    return access_token
  }

  async function call<T>(kind: 'read' | 'write', path: string, init: RequestInit = {}): Promise<T> {
    const authorization = `Bearer ${await accessToken().catch(notSent)}`
    const headers = { authorization, ...(init.body != null && { 'content-type': 'application/json' }) }
    const answer = await exchange(kind, `${url}${path}`, { ...init, headers })
    if (answer.status === 401) token = undefined
    if (answer.status !== 200) throw failureOf(answer, account.email)
    return parsed<T>(answer)
  }

  return {
    async read(path, priority) {
      await beforeRead(priority)
      return call('read', path)
    },
    write: (path, body) => call('write', path, { method: 'POST', body: JSON.stringify(body) }),
  }
}

/** The token request failed, so the call itself was not sent: drops `unknown`. */
function notSent(error: unknown): never {
  if (!(error instanceof SheetFailure)) throw error
  const { message, permanent, pauseMs, cause } = error
  throw new SheetFailure(message, { permanent, pauseMs }, cause)
}

function parsed<T>({ status, body }: Answer): T {
  try {
    return JSON.parse(body)
  } catch {
    // A proxy replied instead of Google.
    throw new SheetFailure(reasons.broken(status), { unknown: true })
  }
}

/** Google's message is inspected but never repeated: it can quote the content of a cell. */
function failureOf({ status, body }: Answer, email: string): SheetFailure {
  if (status >= 500 || status === 408) return new SheetFailure(reasons.broken(status), { unknown: true })
  if (status === 429 || /RATE_?LIMIT/i.test(body)) return new SheetFailure(reasons.quota, {})
  if (status === 401) return new SheetFailure(reasons.account, {})
  const permanent = (reason: string) => new SheetFailure(reason, { permanent: true })
  if (status === 404) return permanent(reasons.unknownId)
  if (/SERVICE_DISABLED|has not been used/.test(body)) return permanent(reasons.disabled)
  if (/protected/.test(body)) return permanent(reasons.protectedRange(email))
  if (status === 403) return permanent(reasons.notShared(email))
  if (/above the limit/.test(body)) return permanent(reasons.full)
  return permanent(reasons.refused(status))
}
