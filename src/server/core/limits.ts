// Fair limits: so high that people never meet them, so that one program cannot fill the lists by itself. Each node counts for itself.
import { createAllowance } from '#server/core/allowance.ts'

export interface Limits {
  /** Whether this address may send another form. */
  admitAddress(address: string): boolean
  /** What the address sent was refused: people correct one form, programs send thousands. */
  noteRefusal(address: string): void
  /** Whether another form may come for this mailbox. */
  admitMailbox(canonicalEmail: string): boolean
}

const refusalCost = 5

export function createLimits(now?: () => number): Limits {
  const clock = now && { now }
  // A carrier puts thousands of phones behind one IPv4 address; a home or a phone has an IPv6 network to itself.
  const shared = createAllowance({ capacity: 6_000, perSecond: 20, ...clock })
  const own = createAllowance({ capacity: 600, perSecond: 2, ...clock })
  const mailboxes = createAllowance({ capacity: 300, perSecond: 0.5, ...clock })

  function take(address: string, cost: number): boolean {
    const network = networkOf(address)
    if (network === undefined) return true
    return (network.includes(':') ? own : shared).take(network, cost)
  }

  return {
    admitAddress: (address) => take(address, 1),
    noteRefusal: (address) => void take(address, refusalCost),
    admitMailbox: (canonicalEmail) => mailboxes.take(canonicalEmail),
  }
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
