// Every route says who may call it: one that does not stops the start.
import type { RouteOptions } from 'fastify'
import type { App } from '#server/http/mount.ts'

export interface Policy {
  method: string
  url: string
  access: string
}

/** To be called before the first route. */
export function demandPolicies(app: App): void {
  const routes: RouteOptions[] = []
  const policies: Policy[] = []
  app.decorate('policies', policies)
  app.addHook('onRoute', (route) => {
    routes.push(route)
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
