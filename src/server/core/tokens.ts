import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Constant-time comparison. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(expected))
}

/** Stored instead of a secret, or of an e-mail address that must be recognized but not readable. */
export function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** Short enough for a URL, too long to be guessed. */
export function linkSecret(): string {
  return randomBytes(16).toString('base64url')
}
