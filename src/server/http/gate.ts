// Who may send another form: asked before anything of it is read.
import type { FastifyRequest } from 'fastify'
import { httpMessages } from '#contract/messages.ts'
import { AppError, lineIsFull } from '#server/core/errors.ts'
import type { Limits } from '#server/core/limits.ts'
import type { Metrics } from '#server/core/metrics.ts'
import { isTurnedAway } from '#server/http/turns.ts'

export interface Gate {
  /** The first hook of every form. */
  admit(request: FastifyRequest, reply: unknown, done: (refused?: Error) => void): void
  /** The request was refused: its token is returned, so that it costs nobody behind the same address a form. */
  giveBack(request: FastifyRequest): void
  /** For a request with a wrong secret. Guesses have a limit of their own. */
  admitGuess(request: FastifyRequest): boolean
  /** Whether an invalid form may be answered with a page rendered for it. */
  admitRendering(request: FastifyRequest): boolean
}

export const tooManyRequests = new AppError('too-many', httpMessages.tooMany)

export function createGate({ limits, metrics }: { limits: Limits; metrics: Metrics }): Gate {
  return {
    admit(request, _reply, done) {
      if (isTurnedAway(request.raw)) {
        metrics.shed('line')
        return done(lineIsFull)
      }
      if (limits.admitAddress(request.ip)) {
        request.holdsToken = true
        return done()
      }
      metrics.shed('address')
      done(tooManyRequests)
    },
    giveBack(request) {
      if (!request.holdsToken) return
      request.holdsToken = false
      limits.giveBack(request.ip)
    },
    admitGuess({ ip }) {
      const admitted = limits.admitGuess(ip)
      if (!admitted) metrics.shed('address')
      return admitted
    },
    admitRendering: ({ ip }) => limits.admitRendering(ip),
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the limit per address has counted this request. */
    holdsToken: boolean
  }
}
