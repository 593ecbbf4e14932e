// Applies load shedding and the rate limit by address to forms, before their body is parsed.
import type { FastifyRequest } from 'fastify'
import { httpMessages } from '#contract/messages.ts'
import { AppError, overloaded } from '#server/core/errors.ts'
import type { Metrics } from '#server/core/metrics.ts'
import { isShed } from '#server/http/admission/load-shedding.ts'
import type { RateLimits } from '#server/http/admission/rate-limits.ts'

export const tooManyRequests = new AppError('too-many', httpMessages.tooMany)

export type FormLimits = ReturnType<typeof createFormLimits>

export function createFormLimits({ limits, metrics }: { limits: RateLimits; metrics: Metrics }) {
  return {
    /** onRequest hook of every form. */
    admit(request: FastifyRequest, _reply: unknown, done: (refused?: Error) => void) {
      if (isShed(request.raw)) {
        metrics.shed('line')
        return done(overloaded)
      }
      if (limits.admitAddress(request.ip)) {
        request.holdsToken = true
        return done()
      }
      metrics.shed('address')
      done(tooManyRequests)
    },
    /** Returns the token of a refused request: other people behind the same address must not pay for it. */
    refund(request: FastifyRequest): void {
      if (!request.holdsToken) return
      request.holdsToken = false
      limits.refund(request.ip)
    },
    /** For a request with a wrong secret. Guesses have a limit of their own. */
    admitGuess({ ip }: FastifyRequest): boolean {
      const admitted = limits.admitGuess(ip)
      if (!admitted) metrics.shed('address')
      return admitted
    },
    /** Whether an invalid form may be answered with a page rendered for it. */
    admitRendering: ({ ip }: FastifyRequest): boolean => limits.admitRendering(ip),
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the rate limit has counted this request. */
    holdsToken: boolean
  }
}
