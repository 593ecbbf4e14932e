import * as z from 'zod/mini'

/** All published versions of the privacy text, oldest first. Submissions store the version that the form showed. */
const privacyVersions: readonly string[] = ['2026-11', '2026-11-15', '2026-11-18', '2026-11-19']

export const privacyVersion = privacyVersions.at(-1) ?? ''

/** Filled in by the page, which may be older than the current version. An unknown version becomes the current one. */
export function consentVersion() {
  return z.pipe(
    z.optional(z.unknown()),
    z.transform((value) => privacyVersions.find((version) => version === value) ?? privacyVersion),
  )
}
