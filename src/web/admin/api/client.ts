// Calls the admin API with the session token. A 401 response ends the session in this browser.
import { backgroundHeader } from '#contract/admin/session.ts'
import type { BodyOf, Endpoint, PathParams, ReplyOf } from '#contract/endpoint.ts'
import { withRecentLogin } from '#web/admin/api/recent-login.ts'
import {
  expireSession,
  readToken,
  reportRoleRefused,
  requireFactor,
  requirePasswordChange,
} from '#web/admin/session/session.ts'
import { ApiFailure, call, networkFetch } from '#web/api/client.ts'

export type Query = Record<string, string | number | boolean | undefined>

interface AdminCallOptions<E extends Endpoint> {
  params?: PathParams
  query?: Query
  body?: BodyOf<E> | Record<string, unknown>
  /** Sent without user action (polling): the server does not extend the session. */
  background?: boolean
  /** Token of a session that this tab no longer displays. */
  token?: string | null
}

export async function callAdmin<E extends Endpoint>(
  endpoint: E,
  { params, query = {}, body, background, token = readToken() }: AdminCallOptions<E> = {},
): Promise<ReplyOf<E>> {
  const endpointWithQuery = { ...endpoint, path: `${endpoint.path}${queryString(query)}` }
  const send = networkFetch(() => ({ ...authorization(token), ...(background && { [backgroundHeader]: '1' }) }))
  return withRecentLogin(async () => {
    try {
      return await call(send, endpointWithQuery, { ...(params && { params }), ...(body !== undefined && { body }) })
    } catch (error) {
      throw handleAuthError(error, token)
    }
  })
}

export function authorization(token: string | null): Record<string, string> {
  return token ? { Authorization: `Bearer ${token}` } : {}
}

/** Ends the session if the server rejected the token, or asks for a new password first. For calls that do not go through `callAdmin`. */
export function handleAuthError(error: unknown, token: string | null): unknown {
  if (error instanceof ApiFailure && error.statusCode === 401) expireSession(token)
  if (error instanceof ApiFailure && error.refusal.code === 'password-change-required') requirePasswordChange(token)
  if (error instanceof ApiFailure && error.refusal.code === 'second-factor-required') requireFactor(token)
  if (error instanceof ApiFailure && error.refusal.code === 'role-required') reportRoleRefused(token)
  return error
}

/** Filters without a value are omitted. */
export function queryString(query: Query): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return entries.length > 0 ? `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}` : ''
}

export const connectionError = 'Erro de conexão. Verifique sua internet.'

/** The text to display for a failed call: the message of the server, or `fallback` if it sent none. */
export function errorMessage(error: unknown, fallback: string, connection = connectionError): string {
  return error instanceof ApiFailure ? error.refusal.message || fallback : connection
}

/** The record no longer exists, usually because another administrator deleted it. */
export const isNotFound = (error: unknown) => error instanceof ApiFailure && error.statusCode === 404
