// Who is let through to calls that are not for anyone.
import type { FastifyRequest } from 'fastify'
import { adminMessages } from '#contract/admin/messages.ts'
import { byItself } from '#contract/admin/session.ts'
import { httpMessages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'
import { sameSecret } from '#server/core/tokens.ts'
import { type Gate, tooManyRequests } from '#server/http/gate.ts'

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
    if (!holder) throw new AppError('unauthenticated', httpMessages.unauthenticated)
    request.administrator = holder
  }
}

/** Whether the session of a request that is still being answered is open. Asking does not prolong it. */
export function createSessionCheck(findHolder: FindHolder) {
  return async (request: FastifyRequest): Promise<boolean> =>
    (await findHolder(tokenOf(request) ?? '', 'away')) !== undefined
}

/**
 * A service that knows the secret speaks for many people from few addresses, so the limits per address are for those who guess.
 * Without a secret in the settings nobody knows it.
 */
export function createSecretGuard(secret: string | undefined, gate: Gate) {
  return (request: FastifyRequest, _reply: unknown, done: (refused?: Error) => void): void => {
    const { token } = request.query as Record<string, unknown>
    const given = [request.headers['x-webhook-token'], tokenOf(request), token]
    const isKnown = given.some((each) => typeof each === 'string' && secret !== undefined && sameSecret(each, secret))
    if (isKnown) done()
    else if (gate.admitGuess(request)) done(new AppError('unauthenticated', adminMessages.conversations.secret))
    else done(tooManyRequests)
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
