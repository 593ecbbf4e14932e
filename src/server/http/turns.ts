// Forms take turns: few are begun in each turn of the event loop. Left to itself it would read everybody who has come before it hears that the
// database has answered, and with thousands at the door that was the longest wait of all.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { lineIsFull } from '#server/core/errors.ts'
import type { Metrics } from '#server/core/metrics.ts'
import { outcomeOf, refusalOf, retryAfterSeconds } from '#server/http/error-handler.ts'
import { jsonSender } from '#server/http/json-sender.ts'

export interface TurnDeps {
  commonHeaders: Record<string, string>
  metrics: Pick<Metrics, 'shed'>
}

export interface TurnOptions {
  /** How many forms are begun in one turn; as many more as others were handed over in it. */
  mostTogether?: number
  /** Who would wait longer than this in line, at its present pace, is turned away. */
  longestWaitMs?: number
}

/** What a form takes, until there has been a line to measure. */
const guessedMs = 0.1
/** What each turn weighs in that measure: most are short, and a few have hundreds of answers to write. */
const weight = 0.02

/** Those who are turned away have left after so many turns. */
const turnsToLeave = 256
/** What is not signing or joining: administrators and other services of ours, who are few and whom nobody else can do without. */
const standsInNoLine = /^\/api\/(admin|webhook)\//

const turnedAway = Symbol('turned away')

interface Arrival extends IncomingMessage {
  [turnedAway]?: true
}

type Waiting = Map<Arrival, ServerResponse>

/** To be called before anybody else listens to requests. */
export function takeTurns(
  { server }: { server: Server },
  { commonHeaders, metrics }: TurnDeps,
  { mostTogether = 16, longestWaitMs = 500 }: TurnOptions = {},
): void {
  const listeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  const line: Waiting = new Map()
  /** Those who are turned away take turns as well: who is refused may be back at once, and would keep the line from moving. */
  const leaving: Waiting = new Map()
  const { write, send } = jsonSender({
    ...commonHeaders,
    'Cache-Control': 'no-store',
    'Retry-After': String(retryAfterSeconds),
  })
  const outcome = outcomeOf(lineIsFull)
  const refusal = write(refusalOf(outcome))
  /** A machine that was asleep must not make us think that a form takes hours. */
  const mostMsEach = longestWaitMs / mostTogether
  let msEach = guessedMs
  let begun = 0
  /** Handed over since the last turn, while forms were under way. */
  let others = 0
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

  /** A program is told in as few steps as there are; what it costs is taken from those in line. A person without scripts gets a page. */
  function turnAway(request: Arrival, response: ServerResponse): void {
    if (request.headers['content-type'] === 'application/json') {
      metrics.shed('line')
      send({ raw: response }, outcome.status, refusal)
    } else {
      request[turnedAway] = true
      hand(request, response)
    }
  }

  function nextTurn(): void {
    if (isTurning) return
    isTurning = true
    others = 0
    turnedAt = performance.now()
    setImmediate(turn)
  }

  function turn(): void {
    // Without a line the turn was not full, and tells nothing.
    if (line.size > 0) msEach += weight * (Math.min((performance.now() - turnedAt) / begun, mostMsEach) - msEach)
    // Reading is not counted among forms, but however many come to read, the line moves on as well.
    const together = mostTogether + others
    isTurning = false
    begun = 0
    callSome(line, together, begin)
    callSome(leaving, Math.max(together, leaving.size / turnsToLeave), turnAway)
    if (line.size + leaving.size > 0) nextTurn()
  }

  function callSome(waiting: Waiting, most: number, call: typeof hand): void {
    let called = 0
    for (const [request, response] of waiting) {
      if (called >= most) break
      waiting.delete(request)
      if (request.socket.destroyed) continue
      called += 1
      call(request, response)
    }
  }

  server.on('request', (request: Arrival, response: ServerResponse) => {
    // Reading costs less than standing in line would.
    if (request.method !== 'POST' || standsInNoLine.test(request.url ?? '')) {
      others += 1
      hand(request, response)
    } else if (line.size === 0 && begun < mostTogether) begin(request, response)
    else if (line.size * msEach < longestWaitMs) line.set(request, response)
    else leaving.set(request, response)
  })
}

/** Whether the line was too long for this one; to be refused before anything of it is read. */
export function isTurnedAway(request: IncomingMessage): boolean {
  return (request as Arrival)[turnedAway] === true
}
