// Whether the visitor already has what would be sent.
import type { FastifyRequest } from 'fastify'

/** Proxies weaken tags and browsers may send several. */
export function isKnown({ headers }: Pick<FastifyRequest, 'headers'>, etag: string): boolean {
  const known = headers['if-none-match']
  if (known === undefined) return false
  return known === etag || known.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
}
