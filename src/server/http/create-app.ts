// Creates the Fastify application with what all routes share: limits, the response cache, headers and error handling.
import formbody from '@fastify/formbody'
import fastify from 'fastify'
import type { Deps } from '#server/deps.ts'
import { requireAccessPolicies } from '#server/http/access.ts'
import { installAdmission } from '#server/http/admission/admission.ts'
import { createFormLimits } from '#server/http/admission/form-limits.ts'
import { createRateLimits } from '#server/http/admission/rate-limits.ts'
import { createOriginCheck } from '#server/http/cross-site.ts'
import { answerClientError, sendRefusal } from '#server/http/error-handler.ts'
import { type App, requestIdOf } from '#server/http/mount.ts'
import { createResponseCache } from '#server/http/response-cache.ts'
import { addSecurityHeaders, securityHeaders } from '#server/http/security-headers.ts'
import { warnOfUnknownProxies } from '#server/http/unknown-proxy.ts'

export async function createApp({ config, log, metrics }: Deps, { refreshMs }: { refreshMs: number }): Promise<App> {
  const commonHeaders = securityHeaders(config.publicUrl)
  const app: App = fastify({
    // Fastify's log entries may quote an address, and its logger adds two listeners to every response. Failures are
    // logged by `logFailure`.
    logger: false,
    bodyLimit: 64 * 1024,
    trustProxy: config.trustProxy,
    genReqId: requestIdOf,
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    // Slow and silent clients are disconnected before they take connections from others.
    requestTimeout: 15_000,
    // Node reports a client that does not read only after two of these: the first one may have sent a part.
    connectionTimeout: 10_000,
    // A proxy must be the first to close a connection that it reuses.
    keepAliveTimeout: config.trustProxy ? 75_000 : 15_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5_000 },
    // Errors of Fastify itself do not run our hooks.
    frameworkErrors: (error, request, reply) => sendRefusal(error, request, reply.headers(commonHeaders)),
    clientErrorHandler: answerClientError,
    return503OnClosing: true,
    routerOptions: { ignoreTrailingSlash: true },
  })
  requireAccessPolicies(app, createOriginCheck(config.publicUrl))

  const responses = createResponseCache({
    // Half for the response and half for the counts in it: together a count is never older than `refreshMs`.
    periodMs: refreshMs / 2,
    onFailure: (error) => log.warn({ err: error }, 'page served stale'),
  })
  const limits = createRateLimits()
  const { drain } = installAdmission(app.server, { commonHeaders, metrics, cache: responses })
  app.decorate('drain', drain)
  app.decorate('responses', responses)
  app.decorate('formLimits', createFormLimits({ limits, metrics }))
  app.decorate('admitMailbox', limits.admitMailbox)
  app.decorate('calls', new Map())
  app.decorate('commonHeaders', commonHeaders)
  app.decorate('logFailure', (error, { id, routeOptions }) =>
    log.error({ err: error, requestId: id, route: routeOptions.url }, 'unexpected failure'),
  )
  app.decorateRequest('holdsToken', false)
  app.decorateRequest('administrator', null)
  app.decorateRequest('upload', null)
  app.setErrorHandler(sendRefusal)
  addSecurityHeaders(app)
  warnOfUnknownProxies(app, log)
  await app.register(formbody)
  return app
}
