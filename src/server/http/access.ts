// Requires an access policy for every route, and adds the origin check to state-changing routes.
import type { RouteOptions } from 'fastify'
import type { OriginCheck } from '#server/http/cross-site.ts'
import type { App, RouteConfig } from '#server/http/mount.ts'

export interface Policy extends RouteConfig {
  method: string
  url: string
  access: NonNullable<RouteConfig['access']>
  bodyLimit: number
  /** Whether load shedding and the rate limit by address apply. */
  isLimited: boolean
}

const safeMethods = ['GET', 'HEAD', 'OPTIONS']
/** These requests contain a secret that other sites do not know. Mail providers and services may send any Origin. */
const accessBySecret = ['webhook', 'signed', 'link']

/** Must be called before the first route is added. The start fails if a route has no policy. */
export function requireAccessPolicies(app: App, checkOrigin: OriginCheck): void {
  const routes: RouteOptions[] = []
  const policies: Policy[] = []
  app.decorate('policies', policies)
  app.addHook('onRoute', (route) => {
    routes.push(route)
    const changesState = [route.method].flat().some((method) => !safeMethods.includes(method))
    if (!changesState || accessBySecret.includes(route.config?.access ?? '')) return
    route.onRequest = [checkOrigin, ...[route.onRequest ?? []].flat()]
  })
  app.addHook('onReady', async () => {
    for (const { method, url, config, bodyLimit = app.initialConfig.bodyLimit ?? 0, onRequest } of routes) {
      if (!config?.access) throw new Error(`${method} ${url} does not say who may call it`)
      const { access, endpoint, contentType, uploadLimit, uploadField } = config
      const isLimited = [onRequest].flat().includes(app.formLimits.admit)
      const policy = { url, access, endpoint, contentType, uploadLimit, uploadField, bodyLimit, isLimited }
      for (const each of [method].flat()) policies.push({ method: each, ...policy })
    }
  })
}

/** For routes that a library creates for static files: the library sets no policy. */
export function allowAnyone(scope: App): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: 'anyone' }
  })
}

declare module 'fastify' {
  interface FastifyInstance {
    policies: Policy[]
  }
}
