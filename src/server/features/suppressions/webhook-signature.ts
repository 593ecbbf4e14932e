// Signatures of e-mail providers: Standard Webhooks (svix, Resend) in headers, Mailgun's in the JSON body.
import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { sameSecret } from '#server/core/tokens.ts'

/** Older requests may be recorded ones that are sent again. */
const toleranceSeconds = 5 * 60
/** Mailgun repeats a report for eight hours if it gets no answer, possibly with the signature of the first attempt. */
const mailgunToleranceSeconds = 9 * 60 * 60
/** The time in which a signature of Mailgun is accepted, from its first use. */
export const mailgunTokenMs = (toleranceSeconds + mailgunToleranceSeconds) * 1000

interface SignedRequest {
  headers: IncomingHttpHeaders
  body: Buffer
  secret: string
  now: Date
}

export function isSigned({ headers, body, secret, now }: SignedRequest): boolean {
  const standard = standardSignature(headers)
  if (standard) {
    const { id, timestamp, signatures } = standard
    if (!isRecent(timestamp, now)) return false
    const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])
    return keysOf(secret).some((key) => {
      const expected = createHmac('sha256', key).update(content).digest('base64')
      return signatures.some((signature) => sameSecret(signature, expected))
    })
  }
  const mailgun = mailgunSignature(body)
  if (!mailgun || !isRecent(mailgun.timestamp, now, mailgunToleranceSeconds)) return false
  const expected = createHmac('sha256', secret)
    .update(mailgun.timestamp + mailgun.token)
    .digest('hex')
  return sameSecret(mailgun.signature, expected)
}

/** The clock of the provider may be ahead by the tolerance of Standard Webhooks. */
function isRecent(timestamp: string, now: Date, maxAge = toleranceSeconds): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false
  const age = now.getTime() / 1000 - Number(timestamp)
  return age <= maxAge && age >= -toleranceSeconds
}

function standardSignature(headers: IncomingHttpHeaders) {
  for (const prefix of ['webhook', 'svix']) {
    const [id, timestamp, list] = ['id', 'timestamp', 'signature'].map((name) => headers[`${prefix}-${name}`])
    if (typeof id === 'string' && typeof timestamp === 'string' && typeof list === 'string') {
      // While a secret is being replaced, a request has a signature for each. Other versions use other algorithms.
      const signatures = list.split(' ').flatMap((each) => (each.startsWith('v1,') ? [each.slice(3)] : []))
      return { id, timestamp, signatures }
    }
  }
  return undefined
}

/** Providers show the key in base64, with a prefix. A secret that the operator made up is used as it is. */
function keysOf(secret: string): Buffer[] {
  const encoded = secret.replace(/^whsec_/, '')
  const isBase64 = /^[A-Za-z0-9+/]{22,}={0,2}$/.test(encoded)
  return isBase64 ? [Buffer.from(encoded, 'base64'), Buffer.from(secret)] : [Buffer.from(secret)]
}

interface MailgunSignature {
  timestamp: string
  token: string
  signature: string
}

/** The signature covers only the timestamp and the token, so each token is to be accepted once. */
export function mailgunSignature(body: Buffer): MailgunSignature | undefined {
  try {
    const { timestamp, token, signature } = JSON.parse(body.toString('utf8'))?.signature ?? {}
    const values = [timestamp, token, signature]
    return values.every((value) => typeof value === 'string') ? { timestamp, token, signature } : undefined
  } catch {
    return undefined
  }
}
