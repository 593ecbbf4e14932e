import type { FastifyRequest } from 'fastify'

/** Whether `If-None-Match` contains the ETag. Proxies turn tags into weak ones, and browsers may send several. */
export function matchesEtag({ headers }: Pick<FastifyRequest, 'headers'>, etag: string): boolean {
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch === undefined) return false
  return (
    ifNoneMatch === etag || ifNoneMatch.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
  )
}
