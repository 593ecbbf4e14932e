/** Providers that ignore dots in the local part: two names of the same one. */
export const dotlessDomains = ['gmail.com', 'googlemail.com']
const dotless = new Set(dotlessDomains)
/** Providers that ignore a `+tag`. */
const tagged = new Set([
  ...dotless,
  'outlook.com',
  'outlook.com.br',
  'hotmail.com',
  'hotmail.com.br',
  'live.com',
  'icloud.com',
  'proton.me',
  'protonmail.com',
  'fastmail.com',
])

/** Addresses with the same canonical form reach the same mailbox. */
export function canonicalizeEmail(email: string): string {
  const lower = email.trim().toLowerCase()
  const at = lower.lastIndexOf('@')
  const domain = lower.slice(at + 1)
  let local = lower.slice(0, at)
  if (tagged.has(domain)) local = local.split('+', 1)[0] || local
  if (dotless.has(domain)) local = local.replaceAll('.', '') || local
  return `${local}@${domain === 'googlemail.com' ? 'gmail.com' : domain}`
}

/** Also used in SQL (db/mailbox.ts). */
export const taggedAddress = '^([^+]+)\\+.*(@[^@]*)$'
const tag = new RegExp(taggedAddress, 's')

/**
 * Removes the `+tag` of a canonical address for every domain. News consent and the e-mail quota are kept per mailbox.
 * Signatures are unique per canonical address, which removes tags only for known providers.
 */
export function mailboxOf(canonicalAddress: string): string {
  return canonicalAddress.replace(tag, '$1$2')
}
