// Every route says who may call it: one that does not stops the start. Routes that change something reject requests from other sites.
import type { RouteOptions } from 'fastify'
import type { OriginCheck } from '#server/http/cross-site.ts'
import type { App } from '#server/http/mount.ts'

export interface Policy {
  method: string
  url: string
  access: string
}

const safeMethods = ['GET', 'HEAD', 'OPTIONS']
/** Callers that prove themselves with a secret which no other site knows; mail providers and services may send any Origin. */
const provenBySecret = ['webhook', 'link']

/** To be called before the first route. */
export function demandPolicies(app: App, checkOrigin: OriginCheck): void {
  const routes: RouteOptions[] = []
  const policies: Policy[] = []
  app.decorate('policies', policies)
  app.addHook('onRoute', (route) => {
    routes.push(route)
    const changesSomething = [route.method].flat().some((method) => !safeMethods.includes(method))
    if (!changesSomething || provenBySecret.includes(route.config?.access ?? '')) return
    route.onRequest = [checkOrigin, ...[route.onRequest ?? []].flat()]
  })
  app.addHook('onReady', async () => {
    for (const { method, url, config } of routes) {
      if (!config?.access) throw new Error(`${method} ${url} does not say who may call it`)
      for (const each of [method].flat()) policies.push({ method: each, url, access: config.access })
    }
  })
}

/** For routes that a library makes of files: they say nothing themselves. */
export function openToAnyone(scope: App): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: 'anyone' }
  })
}

declare module 'fastify' {
  interface FastifyInstance {
    policies: Policy[]
  }
}
