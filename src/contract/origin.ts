// The origin of a signature or sign-up: one short label of the link or of the embedding site, never of a person.
import * as z from 'zod/mini'

export const maxOriginLength = 60

/** The query parameter of links that carry an origin. */
export const originParameter = 'de'

/** Letters without accents, digits and `-_.`. A form is never refused because of its origin: it has none instead. */
export function normalizeOrigin(value: unknown): string | undefined {
  if (typeof value !== 'string') return
  // Most labels need no normalization, which takes time when many people sign.
  if (/^[\w.-]{1,60}$/.test(value)) return value
  const words = value
    .slice(0, 240)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .match(/[\w.-]+/g)
  return words?.join('-').slice(0, maxOriginLength)
}

/** The origin in the address of a page. */
export const originOfQuery = (query: URLSearchParams) =>
  normalizeOrigin(query.get(originParameter)) ?? normalizeOrigin(query.get('utm_source'))

export const origin = () => z.pipe(z.optional(z.unknown()), z.transform(normalizeOrigin))
