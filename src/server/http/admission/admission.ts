// Everything that happens to a request before Fastify sees it, in one wrapper around Node's `request` event.
import type { RequestListener, Server } from 'node:http'
import { limitConnections } from '#server/http/admission/connection-limits.ts'
import { createGracefulShutdown } from '#server/http/admission/graceful-shutdown.ts'
import { createLoadShedding, type LoadSheddingDeps } from '#server/http/admission/load-shedding.ts'
import type { ResponseCache } from '#server/http/response-cache.ts'

interface AdmissionOptions extends LoadSheddingDeps {
  cache?: Pick<ResponseCache, 'serve'>
  lingerMs?: number
}

/** Must be installed before the server listens. */
export function installAdmission(server: Server, { cache, lingerMs, ...deps }: AdmissionOptions) {
  const [handle] = server.listeners('request') as [RequestListener]
  server.removeAllListeners('request')
  const connections = limitConnections(server, lingerMs === undefined ? {} : { lingerMs })
  const shutdown = createGracefulShutdown(server, connections)
  const shed = createLoadShedding(handle, deps)

  server.on('request', (request, response) => {
    if (!connections.admit(request, response)) return
    shutdown.beforeResponse(response)
    if (!cache?.serve(request, response)) shed(request, response)
  })
  return { drain: shutdown.drain }
}
