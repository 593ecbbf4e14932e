// What a connection may cost: who says nothing, reads nothing or asks without waiting for answers is let go before others lose their place.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { App } from '#server/http/mount.ts'

/** Each costs memory; whoever comes on top finds the door closed instead of slowing everybody. */
const mostConnections = 10_000
/** Browsers and proxies wait for an answer before they ask again; an answer may still be leaving when the next request is there. */
const mostUnfinished = 4

/** How long a client has to take what the kernel still holds for it, after its connection was idle for too long. */
const defaultLingerMs = 6_000

const answersOf = Symbol('answers')
const lingering = Symbol('lingering')
const awaited = Symbol('awaited')

type ComplaintListener = (error: NodeJS.ErrnoException, socket: Socket) => void

/** What is known of a connection is kept on it: a table of them would have to be asked for every request. */
interface Watched extends Socket {
  [answersOf]?: { latest: ServerResponse; unfinished: number }
  /** Our side is closed; the client has not taken everything yet. */
  [lingering]?: true
  /** The request that has been given more time than others. */
  [awaited]?: IncomingMessage
}

/** To be called before anybody else listens to requests. */
export function watchConnections({ server }: App, { lingerMs = defaultLingerMs } = {}): void {
  server.maxConnections = mostConnections
  const listeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const socket: Watched = request.socket
    let answers = socket[answersOf]
    if (!answers) {
      answers = { latest: response, unfinished: 0 }
      socket[answersOf] = answers
    }
    // Answers leave in the order of their requests: when the latest has left, all have.
    answers.unfinished = answers.latest.writableFinished ? 1 : answers.unfinished + 1
    answers.latest = response
    if (answers.unfinished > mostUnfinished || socket[lingering]) socket.resetAndDestroy()
    else for (const listen of listeners) listen(request, response)
  })

  server.on('timeout', (socket: Watched) => {
    const weAreSlow = socket.writableLength === 0 && socket[answersOf]?.latest.writableEnded === false
    if (weAreSlow) socket.setTimeout(server.timeout)
    else if (!socket[answersOf]) socket.destroy()
    // A client that does not read is reset: after an ordinary close the kernel would keep what it has not taken, for as long as it likes.
    else if (socket.writableLength > 0 || socket[lingering]) socket.resetAndDestroy()
    else {
      socket[lingering] = true
      socket.setTimeout(lingerMs)
      socket.end()
    }
  })

  const complaints = server.listeners('clientError') as ComplaintListener[]
  server.removeAllListeners('clientError')
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Watched) => {
    const mayTakeLonger = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket[awaited]?.complete === false
    if (!mayTakeLonger) for (const complain of complaints) complain(error, socket)
  })
}

/** For who has shown a right to it: the request may take so long to arrive, whatever holds for others. */
export function giveTime(request: IncomingMessage, ms: number): void {
  const socket: Watched = request.socket
  socket[awaited] = request
  const late = setTimeout(() => request.complete || request.destroy(), ms).unref()
  request.once('close', () => clearTimeout(late))
}
