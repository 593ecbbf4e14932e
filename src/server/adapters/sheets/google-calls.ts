// Calls to Google, each with a token and an end, and what their failures mean: will it pass, and was the write made?
import { setTimeout as delay } from 'node:timers/promises'
import { type GoogleAccount, tokenRequest } from '#server/adapters/sheets/google-account.ts'
import { reasons } from '#server/adapters/sheets/reasons.ts'
import { SheetFailure } from '#server/adapters/sheets/spreadsheet.ts'

/** A read that was given up costs nothing; a write that was may still be made. */
const patienceMs = { token: 2_000, read: 2_000, write: 4_000 }
const mostPatienceMs = 30_000
const tokenSlackMs = 60_000

export interface GoogleCalls {
  /** In its turn, unless something else must not happen before the answer. */
  read<T>(path: string, turn?: 'urgent'): Promise<T>
  /** Once it was sent and not refused, it may have been made. */
  write<T>(path: string, body: object): Promise<T>
}

export interface GoogleCallOptions {
  account: GoogleAccount
  /** Of the interface, without a slash at its end. */
  url: string
  /** Ends calls under way, when the process is about to leave. */
  leaving(): AbortSignal
  readPace?: ReadPace | undefined
}

/** How many reads may be sent within a time. Nodes take turns, so each counts its own. */
export interface ReadPace {
  most: number
  withinMs: number
}

/** Google lets an account send sixty a minute; going through many tabs takes more. */
const googlesPace: ReadPace = { most: 50, withinMs: 60_000 }

interface Answer {
  status: number
  body: string
}

export function createGoogleCalls(options: GoogleCallOptions): GoogleCalls {
  const { account, url, leaving, readPace = googlesPace } = options
  let token: { value: string; goodUntil: number } | undefined
  const silences = { token: 0, read: 0, write: 0 }
  /** When the last reads were sent. */
  let reads: number[] = []

  async function beforeRead(turn?: 'urgent'): Promise<void> {
    const { most, withinMs } = readPace
    const oldest = reads.at(-most)
    const waitMs = oldest === undefined ? 0 : oldest + withinMs - performance.now()
    if (waitMs > 0 && turn !== 'urgent') {
      await delay(waitMs, undefined, { signal: leaving() }).catch((error) => {
        throw new SheetFailure(reasons.quota, {}, error)
      })
    }
    reads = [...reads, performance.now()].slice(-most)
  }

  async function exchange(kind: keyof typeof silences, address: string, init: RequestInit): Promise<Answer> {
    // Silence again and again is met with twice the time: large tabs take theirs.
    const timeoutMs = patienceMs[kind] * 2 ** Math.max(0, silences[kind] - 1)
    const timeout = AbortSignal.timeout(Math.min(timeoutMs, mostPatienceMs))
    try {
      const signal = AbortSignal.any([timeout, leaving()])
      const response = await fetch(address, { ...init, signal, redirect: 'error' })
      const answer = { status: response.status, body: await response.text() }
      silences[kind] = Math.max(0, silences[kind] - 1)
      return answer
    } catch (error) {
      if (timeout.aborted) silences[kind] += 1
      throw new SheetFailure(timeout.aborted ? reasons.silent : reasons.unreachable, { unknown: true }, error)
    }
  }

  async function accessToken(): Promise<string> {
    if (token && token.goodUntil > Date.now()) return token.value
    const askedAt = Date.now()
    const answer = await exchange('token', account.tokenUri, { method: 'POST', body: tokenRequest(account) })
    // Bad gateways and quotas pass; a key that was withdrawn does not.
    if (answer.status === 400 || answer.status === 401) throw new SheetFailure(reasons.account, { permanent: true })
    if (answer.status !== 200) throw new SheetFailure(reasons.broken(answer.status), {})
    const { access_token, expires_in } = parsed<{ access_token: string; expires_in: number }>(answer)
    token = { value: access_token, goodUntil: askedAt + expires_in * 1000 - tokenSlackMs }
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
    async read(path, turn) {
      await beforeRead(turn)
      return call('read', path)
    },
    write: (path, body) => call('write', path, { method: 'POST', body: JSON.stringify(body) }),
  }
}

/** Whatever happened to the token, the call itself was not made. */
function notSent(error: unknown): never {
  if (!(error instanceof SheetFailure)) throw error
  const { message, permanent, pauseMs, cause } = error
  throw new SheetFailure(message, { permanent, pauseMs }, cause)
}

function parsed<T>({ status, body }: Answer): T {
  try {
    return JSON.parse(body)
  } catch {
    // Something on the way answered in Google's place.
    throw new SheetFailure(reasons.broken(status), { unknown: true })
  }
}

/** Google's own words are looked at and never repeated: they can quote what was in a cell. */
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
