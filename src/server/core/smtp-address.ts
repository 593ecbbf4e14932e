// Reads SMTP_URL: where the server is, and whether a connection without encryption is acceptable.
import { BlockList, isIP } from 'node:net'

export interface SmtpAddress {
  /** The URL for nodemailer, without our own parameter. */
  url: string
  /** `required`: STARTTLS or no e-mail. `offered`: STARTTLS if the server has it. `off`: never. */
  startTls: 'required' | 'offered' | 'off'
}

/** Traffic to these addresses stays on the machine or in a private network. */
const localAddresses = new BlockList()
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  localAddresses.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  localAddresses.addSubnet(network, bits, 'ipv6')

/** Names are not looked up: a DNS answer could be forged to switch encryption off. */
function isLocalHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  if (host === 'localhost' || host.endsWith('.localhost')) return true
  const version = isIP(host)
  return version !== 0 && localAddresses.check(host, version === 4 ? 'ipv4' : 'ipv6')
}

/** `tls=nao` in the URL allows a connection without encryption. Undefined: not an address of an SMTP server. */
export function readSmtpAddress(text: string): SmtpAddress | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (!['smtp:', 'smtps:'].includes(url.protocol)) return undefined
  const choices = url.searchParams.getAll('tls')
  // With smtps, tls=nao would contradict the protocol.
  const isOff = choices.length > 0
  if (isOff && (url.protocol === 'smtps:' || choices.some((choice) => choice !== 'nao'))) return undefined
  if (isOff) return { url: without(url, ['tls']), startTls: 'off' }
  if (url.protocol === 'smtps:' || isLocalHost(url.hostname)) return { url: text, startTls: 'offered' }
  // In nodemailer, parameters of the URL override options of the code.
  return { url: without(url, ['requireTLS', 'ignoreTLS', 'opportunisticTLS']), startTls: 'required' }
}

function without(url: URL, names: string[]): string {
  for (const name of names) if (url.searchParams.has(name)) url.searchParams.delete(name)
  return url.href
}
