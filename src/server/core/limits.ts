// Fair limits: so high that people never meet them, so that one program cannot fill the lists by itself. Each node counts for itself.
import { createAllowance } from '#server/core/allowance.ts'

export interface Limits {
  /** Whether this address may send another form. Takes a token. */
  admitAddress(address: string): boolean
  /** Returns the token of a form that was refused: neighbours behind the same address must not pay for it. */
  giveBack(address: string): void
  /** Whether this address may try another wrong secret. */
  admitGuess(address: string): boolean
  /** Whether an invalid form of this address may be answered with a page rendered for it. */
  admitRendering(address: string): boolean
  /** Whether another form may come for this mailbox. */
  admitMailbox(canonicalEmail: string): boolean
}

export function createLimits(now?: () => number): Limits {
  const clock = now && { now }
  // A carrier puts thousands of phones behind one IPv4 address or into one IPv6 /48; a home or a phone has a /64 to itself.
  const shared = createAllowance({ capacity: 6_000, perSecond: 60, ...clock })
  const own = createAllowance({ capacity: 600, perSecond: 2, ...clock })
  const guesses = createAllowance({ capacity: 1_000, perSecond: 5, ...clock })
  const renderings = createAllowance({ capacity: 200, perSecond: 5, ...clock })
  const mailboxes = createAllowance({ capacity: 300, perSecond: 0.5, ...clock })

  /** Addresses of an inner network are not limited. */
  function admitted(address: string, take: (network: string) => boolean): boolean {
    const network = networkOf(address)
    return network === undefined || take(network)
  }

  function takeForm(network: string): boolean {
    if (!isIpv6(network)) return shared.take(network)
    if (!own.take(network)) return false
    if (shared.take(siteOf(network))) return true
    own.giveBack(network)
    return false
  }

  return {
    admitAddress: (address) => admitted(address, takeForm),
    giveBack(address) {
      const network = networkOf(address)
      if (network === undefined) return
      if (isIpv6(network)) own.giveBack(network)
      shared.giveBack(siteOf(network))
    },
    admitGuess: (address) => admitted(address, (network) => guesses.take(siteOf(network))),
    admitRendering: (address) => admitted(address, (network) => renderings.take(siteOf(network))),
    admitMailbox: (canonicalEmail) => mailboxes.take(canonicalEmail),
  }
}

const isIpv6 = (network: string) => network.includes(':')

/** The IPv6 /48 around a /64: what one owner or one carrier's region has. An IPv4 address is its own. */
export function siteOf(network: string): string {
  return isIpv6(network) ? network.split(':', 3).join(':') : network
}

const mapped = /^::ffff:(?=\d+\.)/i
const insideIpv4 = /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./
const insideIpv6 = /^(::1?$|f[cd]|fe[89ab])/i

/**
 * What stands for one connection: an IPv4 address, or the /64 of an IPv6 one. Nothing for addresses of an inner network: it is then
 * our own proxy that we see (TRUST_PROXY is missing), and everybody would pay for everybody.
 */
export function networkOf(address: string): string | undefined {
  const plain = address.replace(mapped, '')
  if (!plain.includes(':')) return insideIpv4.test(plain) ? undefined : plain
  if (insideIpv6.test(plain)) return undefined
  const [before = '', after] = plain.toLowerCase().split('::')
  const groups = (text: string) => (text ? text.split(':') : [])
  const left = groups(before)
  const right = groups(after ?? '')
  const all = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
