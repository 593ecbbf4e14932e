// How quickly passwords may be tried: each address only so often, each name ever more slowly while it fails.
// Nobody is locked out: who knows the password gets in after the wait, and at once from an address that has got in before. A known
// device has tries of its own, so that a neighbour on the same address cannot use them up.
import { setTimeout as delay } from 'node:timers/promises'
import { httpMessages } from '#contract/messages.ts'
import { createAllowance } from '#server/core/allowance.ts'
import { AppError } from '#server/core/errors.ts'
import { createInTurn } from '#server/core/in-turn.ts'
import { networkOf, siteOf } from '#server/core/limits.ts'

export interface LoginPace {
  /** Runs one try in its turn; it answers whether the password was right. */
  attempt<Result>(who: Attempt, tryPassword: () => Promise<Result | undefined>): Promise<Result | undefined>
}

export interface Attempt {
  username: string
  address: string
  /** Proven by the caller: the token of a device that this account has logged in with, or of its session. */
  device?: string | undefined
}

interface LoginPaceOptions {
  now?: () => number
  wait?: (ms: number) => Promise<unknown>
}

const freeFailures = 5
const longestWaitMs = 4_000
const namesKept = 10_000

export function createLoginPace({ now, wait = delay }: LoginPaceOptions = {}): LoginPace {
  const byAddress = createAllowance({ capacity: 20, perSecond: 1 / 6, ...(now && { now }) })
  const byDevice = createAllowance({ capacity: 20, perSecond: 1 / 6, ...(now && { now }) })
  // Who has one IPv6 network often has thousands next to it.
  const bySite = createAllowance({ capacity: 60, perSecond: 1 / 2, ...(now && { now }) })
  const failures = new Map<string, number>()
  const trusted = new Set<string>()
  // Checking a password costs memory and a core for a moment. However many strangers guess, who has got in before has a line apart.
  const strangersInTurn = createInTurn({ mostAtOnce: 1, mostWaiting: 200 })
  const knownInTurn = createInTurn({ mostAtOnce: 1, mostWaiting: 200 })

  function admits(network: string): boolean {
    const site = siteOf(network)
    return byAddress.take(network) && (site === network || bySite.take(site))
  }

  function remember(kept: { size: number; clear(): void }): void {
    if (kept.size >= namesKept) kept.clear()
  }

  return {
    async attempt({ username, address, device }, tryPassword) {
      // From an inner network everybody looks alike: then only the names are slowed.
      const network = networkOf(address)
      const admitted = device ? byDevice.take(device) : network === undefined || admits(network)
      if (!admitted) throw new AppError('too-many', httpMessages.tooMany)
      const name = username.toLowerCase()
      const known = device !== undefined || trusted.has(`${name} ${network}`)
      const failed = failures.get(name) ?? 0
      // Before it is tried: those who guess at the same moment are slowed by each other.
      remember(failures)
      failures.set(name, Math.min(failed + 1, 20))
      if (!known && failed >= freeFailures) await wait(Math.min(longestWaitMs, 250 * 2 ** (failed - freeFailures)))
      const result = await (known ? knownInTurn : strangersInTurn)(tryPassword).catch((error) => {
        // Nobody has said that it was wrong.
        failures.set(name, Math.max(0, (failures.get(name) ?? 0) - 1))
        throw error
      })
      if (result === undefined) return undefined
      failures.delete(name)
      remember(trusted)
      if (network !== undefined) trusted.add(`${name} ${network}`)
      return result
    },
  }
}
