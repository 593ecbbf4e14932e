import type { Site } from '#contract/site.ts'
import type { Config } from '#server/core/config.ts'

interface SampleSetting {
  /** Path in SITE_FILE (`contato.email`), or name of an environment variable. */
  key: string
  value: string
}

/** Reserved domains, a phone number of zeros and the placeholder deputy. Real settings never look like this. */
const sample = /\bexample\.(?:org|com|net)\b|^550+$|^fulano(?: de tal)?$/i

/** Settings that still have sample values, for the terminal and the status page. */
export function findSampleSettings(
  site: Site,
  { publicUrl, smtpUrl, emailFrom }: Pick<Config, 'publicUrl' | 'smtpUrl' | 'emailFrom'>,
): SampleSetting[] {
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(publicUrl).hostname)
  return [
    ...(isLocal || sample.test(publicUrl) ? [{ key: 'PUBLIC_URL', value: publicUrl }] : []),
    // Without an SMTP server no e-mail leaves, so the sender does not matter.
    ...(smtpUrl && sample.test(emailFrom) ? [{ key: 'EMAIL_FROM', value: emailFrom }] : []),
    ...textsOf(site).filter(({ value }) => sample.test(value)),
  ]
}

function textsOf(settings: object, parent = ''): SampleSetting[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    const key = parent + name
    if (typeof value === 'string') return [{ key, value }]
    return typeof value === 'object' && value !== null ? textsOf(value, `${key}.`) : []
  })
}
