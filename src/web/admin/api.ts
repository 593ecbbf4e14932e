// How the admin area calls the server: with the token, and back to the login when it is not known any more.
import { byItself } from '#contract/admin/session.ts'
import type { BodyOf, Endpoint, PathParams, ReplyOf } from '#contract/endpoint.ts'
import { expire, readToken } from '#web/admin/session/session.ts'
import { ApiFailure, call, networkFetch } from '#web/api/client.ts'

export type Query = Record<string, string | number | boolean | undefined>

export interface AdminCallOptions<E extends Endpoint> {
  params?: PathParams
  query?: Query
  body?: BodyOf<E> | Record<string, unknown>
  /** The page asks on its own: nobody need be there, and the session is not kept alive by it. */
  alone?: boolean
  /** Of a session that this tab does not show any more. */
  token?: string | null
}

export async function callAdmin<E extends Endpoint>(
  endpoint: E,
  { params, query = {}, body, alone, token = readToken() }: AdminCallOptions<E> = {},
): Promise<ReplyOf<E>> {
  const addressed = { ...endpoint, path: `${endpoint.path}${searchOf(query)}` }
  const send = networkFetch(() => ({ ...authorization(token), ...(alone && { [byItself]: '1' }) }))
  try {
    return await call(send, addressed, { ...(params && { params }), ...(body !== undefined && { body }) })
  } catch (error) {
    throw noticed(error, token)
  }
}

export function authorization(token: string | null): Record<string, string> {
  return token ? { Authorization: `Bearer ${token}` } : {}
}

/** A refused token ends the session here as well; for calls that are made in another way. */
export function noticed(error: unknown, token: string | null): unknown {
  if (error instanceof ApiFailure && error.statusCode === 401) expire(token)
  return error
}

/** Filters that are not set do not stand in the address. */
export function searchOf(query: Query): string {
  const set = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return set.length > 0 ? `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)]))}` : ''
}

/** What to tell about a call that failed: the server's sentence, else the one for this deed. */
export function sentenceOf(
  error: unknown,
  failed: string,
  connection = 'Erro de conexão. Verifique sua internet.',
): string {
  return error instanceof ApiFailure ? error.refusal.message || failed : connection
}

/** Somebody else has removed it meanwhile. */
export const wasGone = (error: unknown) => error instanceof ApiFailure && error.statusCode === 404
