// Guards of routes that are not public: administrator sessions and the webhook secret.
import type { FastifyRequest } from 'fastify'
import { adminMessages } from '#contract/admin/messages.ts'
import { secondFactorMessages } from '#contract/admin/second-factor.ts'
import { backgroundHeader } from '#contract/admin/session.ts'
import { httpMessages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'
import { networkPrefix } from '#server/core/network-prefix.ts'
import { sameSecret, sessionLabel } from '#server/core/tokens.ts'
import { type FormLimits, tooManyRequests } from '#server/http/admission/form-limits.ts'

export interface Administrator {
  id: number
  username: string
  /** For the audit log: a label of the session, and the network of the client. */
  session?: string
  address?: string
}

/** The administrator of an open session. */
export interface SessionHolder extends Administrator {
  /** The password was generated: only few endpoints are allowed until it is replaced. */
  mustChangePassword: boolean
  /** The site requires a second factor, and the account has none: only few endpoints are allowed until then. */
  mustAddFactor: boolean
  /** The password or a passkey was checked in the last ten minutes. */
  isRecent: boolean
}

/** `away`: an open page sends the request without a user action. Such requests do not extend the session. */
type Presence = 'active' | 'background'

/** Finds the administrator of a session token. Undefined if it is unknown, or its session has expired or ended. */
export type FindAdministrator = (token: string, presence: Presence) => Promise<SessionHolder | undefined>

/** Creates an onRequest hook: it runs before the body is read, so an unauthenticated client cannot upload anything. */
export function createAdminGuard(findAdministrator: FindAdministrator, onRefused: (ip: string) => void) {
  return async (request: FastifyRequest): Promise<void> => {
    const token = tokenOf(request)
    const holder =
      token === undefined
        ? undefined
        : await findAdministrator(token, request.headers[backgroundHeader] ? 'background' : 'active')
    if (!holder || token === undefined) {
      onRefused(request.ip)
      throw new AppError('unauthenticated', httpMessages.unauthenticated)
    }
    if (holder.mustChangePassword && !request.routeOptions.config.endpoint?.beforePasswordChange)
      throw new AppError('forbidden', adminMessages.team.passwordChangeRequired, { code: 'password-change-required' })
    if (holder.mustAddFactor && !request.routeOptions.config.endpoint?.beforeSecondFactor)
      throw new AppError('forbidden', secondFactorMessages.setUpRequired, { code: 'second-factor-required' })
    if (!holder.isRecent && request.routeOptions.config.endpoint?.recentLogin)
      throw new AppError('forbidden', adminMessages.session.recentLoginRequired, { code: 'recent-login-required' })
    request.administrator = { ...holder, session: sessionLabel(token), address: networkPrefix(request.ip) }
  }
}

/** Checks, during a streamed reply, whether the session is still open. The check does not extend the session. */
export function createSessionCheck(findAdministrator: FindAdministrator) {
  return async (request: FastifyRequest): Promise<boolean> =>
    (await findAdministrator(tokenOf(request) ?? '', 'background')) !== undefined
}

/**
 * A service with the secret sends the requests of many people from few addresses, so the limit per address applies only
 * to requests with a wrong secret. If no secret is configured, every request is rejected.
 */
export function createSecretGuard(secret: string | undefined, limits: FormLimits) {
  return (request: FastifyRequest, _reply: unknown, done: (refused?: Error) => void): void => {
    const { token } = request.query as Record<string, unknown>
    const given = [request.headers['x-webhook-token'], tokenOf(request), token]
    const isAuthorized = given.some(
      (each) => typeof each === 'string' && secret !== undefined && sameSecret(each, secret),
    )
    if (isAuthorized) done()
    else if (limits.admitGuess(request)) done(new AppError('unauthenticated', adminMessages.conversations.secret))
    else done(tooManyRequests)
  }
}

export function tokenOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

declare module 'fastify' {
  interface FastifyRequest {
    administrator: SessionHolder | null
  }
}
