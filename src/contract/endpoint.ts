// What a call is: method, path, who may make it, what goes in, what comes back. Server and browser read the same value.
import type * as z from 'zod/mini'

export type Schema = z.ZodMiniType

export interface Endpoint<
  Params extends Schema = Schema,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
  Query extends Schema = Schema,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path with `:names` where parameters go. */
  path: string
  /** Nothing can be mounted without saying who may call it. `link`: whoever holds a link from an e-mail, whose secret is in the path. */
  access: 'anyone' | 'administrator' | 'webhook' | 'link'
  /** For how long anybody may keep the answer, which follows from the path alone. Without it, for a second. */
  keptSeconds?: number
  /** Of a success; by default 201 for POST, else 200. */
  status?: number
  /** What the record of administrators' deeds says was done; every call of theirs that changes something has one. */
  deed?: string
  params?: Params
  /** What may stand behind the `?`: filters and pages of lists. */
  query?: Query
  body?: Body
  reply: Reply
}

export function endpoint<
  Params extends Schema = z.ZodMiniUndefined,
  Body extends Schema = z.ZodMiniUndefined,
  Reply extends Schema = Schema,
  Query extends Schema = z.ZodMiniUndefined,
>(definition: Endpoint<Params, Body, Reply, Query>) {
  return definition
}

export type ParamsOf<E extends Endpoint> = E extends Endpoint<infer Params> ? z.output<Params> : never
export type BodyOf<E extends Endpoint> = E extends Endpoint<Schema, infer Body> ? z.output<Body> : never
export type QueryOf<E extends Endpoint> =
  E extends Endpoint<Schema, Schema, Schema, infer Query> ? z.output<Query> : never
export type ReplyOf<E extends Endpoint> = z.output<E['reply']>

export type PathParams = Record<string, string>

/** `/api/campaigns/:slug` with `{ slug: 'juros' }` is `/api/campaigns/juros`. */
export function fillPath(path: string, params: PathParams = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

export interface Refusal {
  success: false
  message: string
  errors?: Record<string, string>
  /** What is stored, when somebody else was quicker. */
  current?: unknown
}

interface Issue {
  path: PropertyKey[]
  message: string
}

/** The first sentence about each wrong field. */
export function errorsByField(issues: Issue[]): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const { path, message } of issues) {
    const field = String(path[0] ?? '')
    if (field) errors[field] ??= message
  }
  return errors
}
