// How a busy server leaves: nobody new comes in, whoever is in is answered and told that this was the last answer here.
import type { ServerResponse } from 'node:http'
import { Server } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { App } from '#server/http/mount.ts'

/** How long a request that is already on its way may take to arrive. */
const onTheWayMs = 1_000
/** A client that never finishes its request, or never reads its answer, must not keep the process. */
const patienceMs = 6_000

/** To be called before the server listens; answers what ends its connections. */
export function drainable({ server }: App): () => Promise<void> {
  const answering = new Set<ServerResponse>()
  let leaving = false
  const last = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('Connection', 'close')
  }
  server.prependListener('request', (_request, response) => {
    answering.add(response)
    response.once('close', () => answering.delete(response))
    if (leaving) last(response)
  })

  return async () => {
    leaving = true
    answering.forEach(last)
    // Stops listening and no more: the close of an HTTP server also cuts connections whose next request is already on its way,
    // and waits for those that fall idle after it.
    Server.prototype.close.call(server)
    const startedAt = performance.now()
    const left = () => performance.now() - startedAt
    while ((await connections()) > 0 && left() < (answering.size > 0 ? patienceMs : onTheWayMs)) await delay(20)
    server.closeAllConnections()
  }

  function connections(): Promise<number> {
    return new Promise((resolve) => server.getConnections((_, count) => resolve(count)))
  }
}
