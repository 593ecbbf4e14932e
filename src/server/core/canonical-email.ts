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
