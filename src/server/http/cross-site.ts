import type { FastifyRequest } from 'fastify'
import { httpMessages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'

export type OriginCheck = (request: FastifyRequest, reply: unknown, done: (refused?: Error) => void) => void

/** A single instance: a stack trace for each refusal would cost more than the check. */
const crossSite = new AppError('forbidden', httpMessages.crossSite)

/**
 * Creates an onRequest hook against CSRF: rejects state-changing requests that another site makes a visitor's
 * browser send. If the browser sends `Sec-Fetch-Site`, this header decides. Without it, and for sibling subdomains,
 * `Origin` must be the public URL or the host of the request. `Origin: null` is rejected: any site can produce it with
 * a sandboxed frame. Requests with neither header do not come from a current browser and are accepted.
 */
export function createOriginCheck(publicUrl: string): OriginCheck {
  return (request, _reply, done) => {
    const { headers } = request
    const site = headers['sec-fetch-site']
    if (site === 'same-origin' || site === 'none') return done()
    const { origin } = headers
    const isOwn = origin === undefined || origin === publicUrl || origin.endsWith(`//${request.host}`)
    done(site === 'cross-site' || !isOwn ? crossSite : undefined)
  }
}
