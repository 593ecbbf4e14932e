// security.txt (RFC 9116): whom to tell about a vulnerability of this site.
import type { Site } from '#contract/site.ts'

export const securityTxtPath = '/.well-known/security.txt'

/** RFC 9116 recommends less than a year, so that an abandoned site does not name a contact for long. */
const validDays = 180

interface SecurityTxt {
  site: Pick<Site, 'contato'>
  publicUrl: string
  now: Date
}

/** Without `Policy`: the site has no page about disclosure. */
export function securityTxt({ site, publicUrl, now }: SecurityTxt): string {
  return [
    `Contact: ${mailto(site.contato.email)}`,
    `Expires: ${startOfDayAfter(now, validDays).toISOString()}`,
    'Preferred-Languages: pt-BR, en',
    `Canonical: ${publicUrl}${securityTxtPath}`,
    '',
  ].join('\n')
}

/** Encodes all characters that have a meaning in a URI; the setting accepts any text with an @. */
function mailto(email: string): string {
  return `mailto:${email.replace(/[^\w.@+-]+/gu, encodeURIComponent)}`
}

/** A whole day, so that the text is the same on every node and for a day. */
function startOfDayAfter(now: Date, days: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days))
}
