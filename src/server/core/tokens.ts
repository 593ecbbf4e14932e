import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Constant-time comparison. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(expected))
}

/** Stored instead of a secret, or of an e-mail address that must be recognized but not readable. */
export function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** Tells sessions apart in the audit log. The token cannot be found from it. */
export function sessionLabel(token: string): string {
  return hash('sha256', token, 'base64url').slice(0, 8)
}

/** Short enough for a URL, too long to be guessed. */
export function linkSecret(): string {
  return randomBytes(16).toString('base64url')
}
