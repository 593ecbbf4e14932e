// Endpoint definitions: method, path, access, input and reply. Server and browser use the same definition.
import type * as z from 'zod/mini'
import type { RefusalCode } from '#contract/refusals.ts'

export type Schema = z.ZodMiniType

export interface Endpoint<
  Params extends Schema = Schema,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
  Query extends Schema = Schema,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path with `:names` for parameters. */
  path: string
  /**
   * Required: no route is mounted without an access rule. `link`: a secret in the path, from a link in an e-mail.
   * `webhook`: a secret in a header. `signed`: a webhook whose caller signs the body with a secret.
   */
  access: 'anyone' | 'administrator' | 'webhook' | 'signed' | 'link'
  /** Administrators of this role may call it too. Without it, an administrator endpoint is for `coordenacao` alone. */
  role?: 'conteudo'
  /** How long any cache may keep the reply, which depends on the path alone. Default: one second. */
  cacheSeconds?: number
  /** The reply is a file of this name, for a link that downloads it. */
  fileName?: string
  /** Status of a success. Default: 201 for POST, otherwise 200. */
  status?: number
  /** Action in the audit log. Required for administrator endpoints that change something. */
  auditAction?: string
  /** Also for administrators who still have a generated password and must replace it. */
  beforePasswordChange?: true
  /** Also for administrators who still have to set up a second factor, where the site requires one. */
  beforeSecondFactor?: true
  /** Refused with `recent-login-required` if the password was not checked in the last ten minutes. */
  recentLogin?: true
  /** Action in the audit log of a search or view of personal data; the handler names its subject. */
  readAction?: string
  params?: Params
  /** Code of the refusal when the parameters are invalid. Default: `not-found`. */
  paramsCode?: RefusalCode
  /** Query string: filters and pages of lists. */
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

interface Issue {
  path: PropertyKey[]
  message: string
}

/** The first message for each invalid field. A field within an object is named `object.field`. */
export function errorsByField(issues: Issue[]): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const { path, message } of issues) {
    const field = path.filter((part) => typeof part === 'string').join('.')
    if (field) errors[field] ??= message
  }
  return errors
}
