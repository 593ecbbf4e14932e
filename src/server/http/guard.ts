// Guards of routes that are not public: administrator sessions and the webhook secret.
import type { FastifyRequest } from 'fastify'
import { adminMessages } from '#contract/admin/messages.ts'
import type { AdminRole } from '#contract/admin/roles.ts'
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
  role: AdminRole
  /** The password was generated: only few endpoints are allowed until it is replaced. */
  mustChangePassword: boolean
  /** The site requires a second factor, and the account has none: only few endpoints are allowed until then. */
  mustAddFactor: boolean
  /** The password was checked in the last ten minutes. */
  isRecent: boolean
}

/** `away`: an open page sends the request without a user action. Such requests do not extend the session. */
type Presence = 'active' | 'background'

/** Finds the administrator of a session token. Undefined if it is unknown, or its session has expired or ended. */
export type FindAdministrator = (token: string, presence: Presence) => Promise<SessionHolder | undefined>

/** A refused call. Without an administrator, it had no valid session. */
export interface RefusedCall {
  ip: string
  administrator?: Administrator
  /** Method and path of the route. */
  route?: string
}

/** Whether the route is for this role. A route that names no role is for `coordenacao` alone. */
function allows({ routeOptions }: FastifyRequest, { role }: SessionHolder): boolean {
  return role === 'coordenacao' || routeOptions.config.endpoint?.role === role
}

/** Creates an onRequest hook: it runs before the body is read, so an unauthenticated client cannot upload anything. */
export function createAdminGuard(findAdministrator: FindAdministrator, onRefused: (call: RefusedCall) => void) {
  return async (request: FastifyRequest): Promise<void> => {
    const token = tokenOf(request)
    const holder =
      token === undefined
        ? undefined
        : await findAdministrator(token, request.headers[backgroundHeader] ? 'background' : 'active')
    if (!holder || token === undefined) {
      onRefused({ ip: request.ip })
      throw new AppError('unauthenticated', httpMessages.unauthenticated)
    }
    if (holder.mustChangePassword && !request.routeOptions.config.endpoint?.beforePasswordChange)
      throw new AppError('forbidden', adminMessages.team.passwordChangeRequired, { code: 'password-change-required' })
    if (holder.mustAddFactor && !request.routeOptions.config.endpoint?.beforeSecondFactor)
      throw new AppError('forbidden', secondFactorMessages.setUpRequired, { code: 'second-factor-required' })
    if (!allows(request, holder)) {
      const { method, url } = request.routeOptions
      onRefused({ ip: request.ip, administrator: holder, route: `${method} ${url}` })
      throw new AppError('forbidden', adminMessages.team.roleRequired, { code: 'role-required' })
    }
    if (!holder.isRecent && request.routeOptions.config.endpoint?.recentLogin)
      throw new AppError('forbidden', adminMessages.session.recentLoginRequired, { code: 'recent-login-required' })
    request.administrator = { ...holder, session: sessionLabel(token), address: networkPrefix(request.ip) }
  }
}

/** Checks, during a streamed reply, whether the session is still open and allowed. It does not extend the session. */
export function createSessionCheck(findAdministrator: FindAdministrator) {
  return async (request: FastifyRequest): Promise<boolean> => {
    const holder = await findAdministrator(tokenOf(request) ?? '', 'background')
    return holder !== undefined && allows(request, holder)
  }
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
