// Who is let through to calls that are not for anyone.
import type { FastifyRequest } from 'fastify'
import { byItself } from '#contract/admin/session.ts'
import { messages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'

export interface Administrator {
  id: number
  username: string
}

/** Whether a person asks, or a page that was left open asks by itself: the latter does not keep a session from ending. */
export type Presence = 'present' | 'away'

/** Finds who holds a token; nobody for one that is unknown, has expired or was given back. */
export type FindHolder = (token: string, presence: Presence) => Promise<Administrator | undefined>

/** Asked before the body is read: a stranger cannot make us take an upload. */
export function createAdminGuard(findHolder: FindHolder) {
  return async (request: FastifyRequest): Promise<void> => {
    const token = tokenOf(request)
    const holder =
      token === undefined ? undefined : await findHolder(token, request.headers[byItself] ? 'away' : 'present')
    if (!holder) throw new AppError('unauthenticated', messages.http.unauthenticated)
    request.administrator = holder
  }
}

export function tokenOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

declare module 'fastify' {
  interface FastifyRequest {
    administrator: Administrator | null
  }
}
