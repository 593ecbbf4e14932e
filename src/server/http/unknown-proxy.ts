import type { FastifyRequest } from 'fastify'
import type { Log } from '#server/core/log.ts'
import { networkOf } from '#server/http/admission/rate-limits.ts'
import type { App } from '#server/http/mount.ts'

const pauseMs = 60 * 60_000

/**
 * Warns at most once an hour that X-Forwarded-For was ignored because TRUST_PROXY lacks the sender. Behind such a proxy
 * all visitors have one address, so limits by address do not work. A client can also send the header by itself.
 */
export function warnOfUnknownProxies(app: App, log: Pick<Log, 'warn'>, now: () => number = Date.now): void {
  let silentUntil = Number.NEGATIVE_INFINITY
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.headers['x-forwarded-for'] && now() >= silentUntil && isIgnored(request)) {
      silentUntil = now() + pauseMs
      log.warn({ sender: privateAddressOf(request) }, 'X-Forwarded-For of an unknown proxy ignored')
    }
    done()
  })
}

/** Fastify lists the connected address first, then each forwarded one that a trusted proxy reports. */
const isIgnored = ({ ips }: FastifyRequest) => ips === undefined || ips.length === 1

/** A private address is that of a proxy; a public one may be a person's. */
function privateAddressOf({ socket: { remoteAddress = '' } }: FastifyRequest): string {
  return networkOf(remoteAddress) === undefined ? remoteAddress : 'public address'
}
