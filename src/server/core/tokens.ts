// Secrets that a caller presents.
import { hash, timingSafeEqual } from 'node:crypto'

/** Takes the same time however much of it is right. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))
}
