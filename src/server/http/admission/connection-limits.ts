// Closes connections that hold resources: silent clients, clients that do not read, and clients that pipeline without end.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Each connection costs memory. Further ones are refused instead of slowing down all. */
const maxConnections = 10_000
/** Browsers and proxies wait for the response before the next request; a response may still be in transit then. */
const maxUnfinished = 4
/** How long a client may take to read what the kernel has buffered, after an idle timeout. */
const defaultLingerMs = 6_000

const exchange = Symbol('exchange')
const lingering = Symbol('lingering')
const extended = Symbol('extended')

type ClientErrorListener = (error: NodeJS.ErrnoException, socket: Socket) => void

/** State of a connection is stored on the socket: a lookup table would cost every request. */
interface TrackedSocket extends Socket {
  [exchange]?: { latest: ServerResponse; unfinished: number }
  /** The server side is closed; the client has not read everything yet. */
  [lingering]?: true
  /** The request whose timeout was extended. */
  [extended]?: IncomingMessage
}

export type Connections = ReturnType<typeof limitConnections>

export function limitConnections(server: Server, { lingerMs = defaultLingerMs } = {}) {
  const sockets = new Set<TrackedSocket>()
  server.maxConnections = maxConnections
  server.on('connection', (socket: TrackedSocket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  server.on('timeout', (socket: TrackedSocket) => {
    const isWaitingForUs = socket.writableLength === 0 && socket[exchange]?.latest.writableEnded === false
    if (isWaitingForUs) socket.setTimeout(server.timeout)
    else if (!socket[exchange]) socket.destroy()
    // Reset instead of closed: after a normal close the kernel would keep unread data for as long as the client likes.
    else if (socket.writableLength > 0 || socket[lingering]) socket.resetAndDestroy()
    else {
      socket[lingering] = true
      socket.setTimeout(lingerMs)
      socket.end()
    }
  })

  const clientErrorListeners = server.listeners('clientError') as ClientErrorListener[]
  server.removeAllListeners('clientError')
  server.on('clientError', (error: NodeJS.ErrnoException, socket: TrackedSocket) => {
    const isExtended = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket[extended]?.complete === false
    if (!isExtended) for (const listen of clientErrorListeners) listen(error, socket)
  })

  return {
    /** Records the request. False: the connection was reset. */
    admit(request: IncomingMessage, response: ServerResponse): boolean {
      const socket: TrackedSocket = request.socket
      const state = socket[exchange]
      if (!state) socket[exchange] = { latest: response, unfinished: 1 }
      else {
        // Responses are written in the order of their requests: when the latest is finished, all are.
        state.unfinished = state.latest.writableFinished ? 1 : state.unfinished + 1
        state.latest = response
        if (state.unfinished > maxUnfinished || socket[lingering]) {
          socket.resetAndDestroy()
          return false
        }
      }
      return true
    },
    /** Responses that are not completely written yet. */
    unfinishedResponses(): ServerResponse[] {
      const latest = [...sockets].flatMap((socket) => socket[exchange]?.latest ?? [])
      return latest.filter(({ writableFinished }) => !writableFinished)
    },
  }
}

/** Extends the request timeout, for authenticated uploads. */
export function extendRequestTimeout(request: IncomingMessage, ms: number): void {
  const socket: TrackedSocket = request.socket
  socket[extended] = request
  const timer = setTimeout(() => request.complete || request.destroy(), ms).unref()
  request.once('close', () => clearTimeout(timer))
}
