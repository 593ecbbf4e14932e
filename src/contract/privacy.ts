// Versions of the privacy text that people agree to. The one that a form showed is stored with what was sent.
import * as z from 'zod/mini'

/** Every version that was ever published, the oldest first. */
const privacyVersions: readonly string[] = ['2026-11', '2026-11-15']

/** The current one. */
export const privacyVersion = privacyVersions.at(-1) ?? ''

/** Filled in by the page, which may have been loaded under an earlier version. Nobody is refused for it: an unknown one is the current one. */
export function consentVersion() {
  return z.pipe(
    z.optional(z.unknown()),
    z.transform((value) => privacyVersions.find((version) => version === value) ?? privacyVersion),
  )
}
