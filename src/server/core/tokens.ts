// Secrets that a caller presents.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Takes the same time however much of it is right. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(expected))
}

/** What is kept of a secret, or of an address that must be known again without being named. */
export function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** Short enough for the address of a link, too long to be guessed. */
export function linkSecret(): string {
  return randomBytes(16).toString('base64url')
}
