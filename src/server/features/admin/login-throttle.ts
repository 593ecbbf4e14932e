// Limits how fast passwords can be tried: a token bucket per address, and a growing delay per username after
// failures. No account is ever locked: the right password works after the delay, and at once from an address that
// logged in before. A known device has its own bucket, so that other clients with the same address cannot exhaust it.
import { setTimeout as delay } from 'node:timers/promises'
import { httpMessages } from '#contract/messages.ts'
import { createConcurrencyLimit } from '#server/core/concurrency-limit.ts'
import { AppError } from '#server/core/errors.ts'
import { networkOf, siteOf } from '#server/http/admission/rate-limits.ts'
import { createTokenBuckets } from '#server/http/admission/token-bucket.ts'

interface Attempt {
  username: string
  address: string
  /** Verified by the caller: the token of a device with which this account has logged in, or of its session. */
  device?: string | undefined
}

interface LoginThrottleOptions {
  now?: () => number
  wait?: (ms: number) => Promise<unknown>
}

const freeFailures = 5
const maxWaitMs = 4_000
const maxEntries = 10_000

export type LoginThrottle = ReturnType<typeof createLoginThrottle>

export function createLoginThrottle({ now, wait = delay }: LoginThrottleOptions = {}) {
  const byAddress = createTokenBuckets({ capacity: 20, perSecond: 1 / 6, ...(now && { now }) })
  // As slow as the limit of an account (guess-limit.ts), which does not refuse known devices.
  const byDevice = createTokenBuckets({ capacity: 20, perSecond: 1 / 36, ...(now && { now }) })
  // The owner of one IPv6 /64 network often has thousands of neighbouring ones.
  const bySite = createTokenBuckets({ capacity: 60, perSecond: 1 / 2, ...(now && { now }) })
  const failures = new Map<string, number>()
  const trusted = new Set<string>()
  // Checking a password occupies memory and a CPU core. Trusted clients have their own queue, so that guessing by
  // others does not delay them.
  const untrustedLimit = createConcurrencyLimit({ maxAtOnce: 1, maxWaiting: 200 })
  const trustedLimit = createConcurrencyLimit({ maxAtOnce: 1, maxWaiting: 200 })

  function admits(network: string): boolean {
    const site = siteOf(network)
    return byAddress.take(network) && (site === network || bySite.take(site))
  }

  /** Evicts the oldest entry only: clearing all of them would let a flood of invented names end every delay. */
  function makeRoom(entries: Map<string, number> | Set<string>): void {
    const [oldest] = entries.keys()
    if (entries.size >= maxEntries && oldest !== undefined) entries.delete(oldest)
  }

  return {
    /** Runs one attempt within the limits. `tryPassword` resolves to undefined if the password is wrong. */
    async attempt<Result>(
      { username, address, device }: Attempt,
      tryPassword: () => Promise<Result | undefined>,
    ): Promise<Result | undefined> {
      // Clients with a private address cannot be told apart, so only the username is throttled.
      const network = networkOf(address)
      const admitted = device ? byDevice.take(device) : network === undefined || admits(network)
      if (!admitted) throw new AppError('too-many', httpMessages.tooMany)
      const name = username.toLowerCase()
      const isTrusted = device !== undefined || trusted.has(`${name} ${network}`)
      const failed = failures.get(name) ?? 0
      // Counted before the attempt, so that concurrent guesses slow each other down.
      failures.delete(name)
      makeRoom(failures)
      failures.set(name, Math.min(failed + 1, 20))
      if (!isTrusted && failed >= freeFailures) await wait(Math.min(maxWaitMs, 250 * 2 ** (failed - freeFailures)))
      const result = await (isTrusted ? trustedLimit : untrustedLimit)(tryPassword).catch((error) => {
        // The attempt failed for another reason: the password was not rejected.
        failures.set(name, Math.max(0, (failures.get(name) ?? 0) - 1))
        throw error
      })
      if (result === undefined) return undefined
      failures.delete(name)
      makeRoom(trusted)
      if (network !== undefined) trusted.add(`${name} ${network}`)
      return result
    },
  }
}
