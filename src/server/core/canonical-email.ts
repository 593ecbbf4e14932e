// One mailbox, one spelling: two addresses with the same canonical form reach the same person.
const dotless = new Set(['gmail.com', 'googlemail.com'])
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

export function canonicalEmail(email: string): string {
  const lower = email.trim().toLowerCase()
  const at = lower.lastIndexOf('@')
  const domain = lower.slice(at + 1)
  let local = lower.slice(0, at)
  if (tagged.has(domain)) local = local.split('+', 1)[0] || local
  if (dotless.has(domain)) local = local.replaceAll('.', '') || local
  return `${local}@${domain === 'googlemail.com' ? 'gmail.com' : domain}`
}

/** Shared with SQL (db/mailbox.ts). */
export const taggedAddress = '^([^+]+)\\+.*(@[^@]*)$'
const tag = new RegExp(taggedAddress, 's')

/**
 * The mailbox of a canonical address: without its `+tag`, whatever the domain. News consent and the e-mail quota go by it.
 * Signatures are unique by the canonical address, whose rule is narrower.
 */
export function mailboxOf(canonicalAddress: string): string {
  return canonicalAddress.replace(tag, '$1$2')
}
