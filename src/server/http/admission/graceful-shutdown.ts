// Stops a busy server: no new connections, open requests are answered, and each response announces the end of its connection.
import type { Server as HttpServer, ServerResponse } from 'node:http'
import { Server } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Connections } from '#server/http/admission/connection-limits.ts'

/** How long a request that was already sent may take to arrive. */
const arrivalMs = 1_000
/** Bound for clients that never finish their request or never read their response. */
const responseMs = 6_000

export function createGracefulShutdown(server: HttpServer, connections: Connections) {
  let isStopping = false

  function announceClose(response: ServerResponse): void {
    if (!response.headersSent) response.setHeader('Connection', 'close')
  }

  function countConnections(): Promise<number> {
    return new Promise((resolve) => server.getConnections((_, count) => resolve(count)))
  }

  return {
    /** Announces the end of the connection, once the shutdown has begun. */
    beforeResponse(response: ServerResponse): void {
      if (isStopping) announceClose(response)
    },
    async drain(): Promise<void> {
      isStopping = true
      connections.unfinishedResponses().forEach(announceClose)
      // Only stops listening: the close of an HTTP server also cuts connections whose next request is already in
      // transit, and waits for those that become idle later.
      Server.prototype.close.call(server)
      const startedAt = performance.now()
      const limitMs = () => (connections.unfinishedResponses().length > 0 ? responseMs : arrivalMs)
      while ((await countConnections()) > 0 && performance.now() - startedAt < limitMs()) await delay(20)
      server.closeAllConnections()
    },
  }
}
