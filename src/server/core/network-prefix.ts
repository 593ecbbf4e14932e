import { isIP } from 'node:net'

/**
 * The network of an address, IPv4 /24 or IPv6 /48: it tells networks apart, and not the people in one. A request whose
 * connection has already been closed has no address.
 */
export function networkPrefix(address: string | undefined): string {
  const [plain = ''] = (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '').split('%')
  const version = isIP(plain)
  if (version === 4) return `${plain.split('.', 3).join('.')}.0/24`
  if (version !== 6) return ''
  const [before = '', after] = plain.toLowerCase().split('::')
  const groups = (text = '') => (text ? text.split(':') : [])
  const left = groups(before)
  // An IPv4 address at the end takes the place of two groups.
  const right = groups(after).flatMap((group) => (group.includes('.') ? ['', ''] : [group]))
  const all = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return `${all
    .slice(0, 3)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':')}::/48`
}
