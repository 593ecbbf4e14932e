// Rate limits so high that people never reach them and one program cannot fill the lists alone. Each server counts for itself.
import { createTokenBuckets } from '#server/http/admission/token-bucket.ts'

export type RateLimits = ReturnType<typeof createRateLimits>

export function createRateLimits(now?: () => number) {
  const clock = now && { now }
  /** One bucket for all private addresses beside the buckets of one kind. */
  const createLimit = (limit: { capacity: number; perSecond: number }) => {
    const coarse = createTokenBuckets({
      capacity: coarseFactor * limit.capacity,
      perSecond: coarseFactor * limit.perSecond,
      buckets: 1,
      ...clock,
    })
    return { ...createTokenBuckets({ ...limit, ...clock }), coarse }
  }
  // A carrier has thousands of phones behind one IPv4 address or in one IPv6 /48; a home or a phone has its own /64.
  const shared = createLimit({ capacity: 6_000, perSecond: 60 })
  const own = createTokenBuckets({ capacity: 600, perSecond: 2, ...clock })
  const guesses = createLimit({ capacity: 1_000, perSecond: 5 })
  const renderings = createLimit({ capacity: 200, perSecond: 5 })
  const mailboxes = createTokenBuckets({ capacity: 300, perSecond: 0.5, ...clock })

  function admitted(
    address: string,
    limit: ReturnType<typeof createLimit>,
    take = (network: string) => limit.take(siteOf(network)),
  ): boolean {
    const network = networkOf(address)
    return network === undefined ? limit.coarse.take(everybody) : take(network)
  }

  function takeForm(network: string): boolean {
    if (!isIpv6(network)) return shared.take(network)
    if (!own.take(network)) return false
    if (shared.take(siteOf(network))) return true
    own.refund(network)
    return false
  }

  return {
    /** Whether this address may send another form. Takes a token. */
    admitAddress: (address: string): boolean => admitted(address, shared, takeForm),
    /** Returns the token of a form that was refused. */
    refund(address: string): void {
      const network = networkOf(address)
      if (network === undefined) {
        shared.coarse.refund(everybody)
        return
      }
      if (isIpv6(network)) own.refund(network)
      shared.refund(siteOf(network))
    },
    /** Whether this address may try another wrong secret. */
    admitGuess: (address: string): boolean => admitted(address, guesses),
    /** Whether an invalid form of this address may be answered with a page rendered for it. */
    admitRendering: (address: string): boolean => admitted(address, renderings),
    /** Whether another form may come for this mailbox. */
    admitMailbox: (canonicalEmail: string): boolean => mailboxes.take(canonicalEmail),
  }
}

/**
 * A private address is usually a proxy that TRUST_PROXY lacks, with all visitors behind it. They share one bucket, as
 * large as four hundred addresses: twice the largest crowd that a node can serve, and a flood still has an end.
 */
const coarseFactor = 400
/** Key of the coarse buckets. */
const everybody = ''

const isIpv6 = (network: string) => network.includes(':')

/** The IPv6 /48 around a /64: one site or one region of a carrier. An IPv4 address stands for itself. */
export function siteOf(network: string): string {
  return isIpv6(network) ? network.split(':', 3).join(':') : network
}

const ipv4Mapped = /^::ffff:(?=\d+\.)/i
const privateIpv4 = /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./
const privateIpv6 = /^(::1?$|f[cd]|fe[89ab])/i

/**
 * The key of one client: its IPv4 address, or the /64 of its IPv6 address. Undefined for private addresses: there the
 * server sees its own proxy (TRUST_PROXY is missing), and clients cannot be told apart.
 */
export function networkOf(address: string): string | undefined {
  const plain = address.replace(ipv4Mapped, '')
  if (!plain.includes(':')) return privateIpv4.test(plain) ? undefined : plain
  if (privateIpv6.test(plain)) return undefined
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
