// How a busy server leaves: nobody new comes in, whoever is in is answered and told that this was the last answer here.
import type { ServerResponse } from 'node:http'
import { Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { App } from '#server/http/mount.ts'

/** How long a request that is already on its way may take to arrive. */
const onTheWayMs = 1_000
/** A client that never finishes its request, or never reads its answer, must not keep the process. */
const patienceMs = 6_000

/** To be called before the server listens; answers what ends its connections. */
export function drainable({ server }: App): () => Promise<void> {
  // By connection: a listener on every answer would cost each of them a twentieth of its time.
  const latest = new Map<Socket, ServerResponse>()
  let leaving = false
  const last = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('Connection', 'close')
  }
  server.on('connection', (socket: Socket) => socket.once('close', () => latest.delete(socket)))
  server.prependListener('request', ({ socket }, response) => {
    latest.set(socket, response)
    if (leaving) last(response)
  })
  const answering = () => [...latest.values()].filter(({ writableFinished }) => !writableFinished)

  return async () => {
    leaving = true
    answering().forEach(last)
    // Stops listening and no more: the close of an HTTP server also cuts connections whose next request is already on its way,
    // and waits for those that fall idle after it.
    Server.prototype.close.call(server)
    const startedAt = performance.now()
    const left = () => performance.now() - startedAt
    while ((await connections()) > 0 && left() < (answering().length > 0 ? patienceMs : onTheWayMs)) await delay(20)
    server.closeAllConnections()
  }

  function connections(): Promise<number> {
    return new Promise((resolve) => server.getConnections((_, count) => resolve(count)))
  }
}
