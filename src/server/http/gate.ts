// Who may send another form: asked before anything of it is read.
import type { FastifyRequest } from 'fastify'
import { messages } from '#contract/messages.ts'
import { AppError, lineIsFull } from '#server/core/errors.ts'
import type { Limits } from '#server/core/limits.ts'
import type { Metrics } from '#server/core/metrics.ts'
import { isTurnedAway } from '#server/http/turns.ts'

export interface Gate {
  /** The first hook of every form. */
  admit(request: FastifyRequest, reply: unknown, done: (refused?: Error) => void): void
  /** The form could not be accepted as it was. */
  noteRefusal(request: FastifyRequest): void
}

export function createGate({ limits, metrics }: { limits: Limits; metrics: Metrics }): Gate {
  return {
    admit({ ip, raw }, _reply, done) {
      if (isTurnedAway(raw)) {
        metrics.shed('line')
        return done(lineIsFull)
      }
      if (limits.admitAddress(ip)) return done()
      metrics.shed('address')
      done(new AppError('too-many', messages.http.tooMany))
    },
    noteRefusal: ({ ip }) => limits.noteRefusal(ip),
  }
}
