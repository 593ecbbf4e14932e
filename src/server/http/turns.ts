// Forms take turns: few are begun in each turn of the event loop. Left to itself it would read everybody who has come before it hears that the
// database has answered, and with thousands at the door that was the longest wait of all.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { App } from '#server/http/mount.ts'

export interface TurnOptions {
  /** How many forms are begun in one turn. */
  mostTogether?: number
  /** Who would wait longer than this in line, at its present pace, is turned away. */
  longestWaitMs?: number
}

/** Forms a millisecond, until there has been a line to measure. */
const guessedPace = 5
/** What each turn weighs in the pace. */
const weight = 0.05

const turnedAway = Symbol('turned away')

interface Arrival extends IncomingMessage {
  [turnedAway]?: true
}

type Waiting = Map<Arrival, ServerResponse>

/** To be called before anybody else listens to requests. */
export function takeTurns(
  { server }: Pick<App, 'server'>,
  { mostTogether = 16, longestWaitMs = 500 }: TurnOptions = {},
): void {
  const listeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  const line: Waiting = new Map()
  /** Those who are turned away take turns as well: who is refused may be back at once, and would keep the line from moving. */
  const leaving: Waiting = new Map()
  let pace = guessedPace
  let begun = 0
  let turnedAt = 0
  let isTurning = false

  function begin(request: Arrival, response: ServerResponse): void {
    begun += 1
    nextTurn()
    hand(request, response)
  }

  function hand(request: Arrival, response: ServerResponse): void {
    for (const listen of listeners) listen(request, response)
  }

  function nextTurn(): void {
    if (isTurning) return
    isTurning = true
    turnedAt = performance.now()
    setImmediate(turn)
  }

  function turn(): void {
    // Without a line the turn was not full, and tells nothing.
    if (line.size > 0) pace += weight * (begun / (performance.now() - turnedAt) - pace)
    isTurning = false
    begun = 0
    callSome(line, begin)
    callSome(leaving, hand)
    if (line.size + leaving.size > 0) nextTurn()
  }

  function callSome(waiting: Waiting, call: typeof hand): void {
    let called = 0
    for (const [request, response] of waiting) {
      if (called === mostTogether) break
      waiting.delete(request)
      if (request.socket.destroyed) continue
      called += 1
      call(request, response)
    }
  }

  server.on('request', (request: Arrival, response: ServerResponse) => {
    // Reading costs less than standing in line would.
    if (request.method !== 'POST') hand(request, response)
    else if (line.size === 0 && begun < mostTogether) begin(request, response)
    else if (line.size < pace * longestWaitMs) line.set(request, response)
    else {
      request[turnedAway] = true
      leaving.set(request, response)
    }
  })
}

/** Whether the line was too long for this one; to be refused before anything of it is read. */
export function isTurnedAway(request: IncomingMessage): boolean {
  return (request as Arrival)[turnedAway] === true
}
