// Limits how many forms each tick of the event loop begins, and refuses forms that would wait too long.
// Without this, the event loop parses every queued request before it handles database replies, and latency grows.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { overloaded } from '#server/core/errors.ts'
import type { Metrics } from '#server/core/metrics.ts'
import { outcomeOf, refusalOf, retryAfterSeconds } from '#server/http/error-handler.ts'

export interface LoadSheddingDeps {
  commonHeaders: Record<string, string>
  metrics: Pick<Metrics, 'shed'>
}

export interface LoadSheddingOptions {
  /** Forms begun in one tick. Other requests of the same tick raise this number. */
  maxPerTick?: number
  /** A form whose estimated wait is longer is refused. */
  maxWaitMs?: number
}

/** Assumed duration of a form until one has been measured. */
const initialMsPerForm = 0.1
/** Weight of one tick in the moving average. Most ticks are short; a few write hundreds of responses. */
const averageWeight = 0.02
/** Refused forms are answered within this number of ticks. */
const ticksToRefuseAll = 256
/** Administrators and webhooks are few and important, so they never queue. */
const exemptPaths = /^\/api\/(admin|webhook)\//

const shedMark = Symbol('shed')

interface QueuedRequest extends IncomingMessage {
  [shedMark]?: true
}

type Queue = Map<QueuedRequest, ServerResponse>

/** Returns the request listener that stands before `handle`. */
export function createLoadShedding(
  handle: RequestListener,
  { commonHeaders, metrics }: LoadSheddingDeps,
  { maxPerTick = 16, maxWaitMs = 500 }: LoadSheddingOptions = {},
): RequestListener {
  const queue: Queue = new Map()
  /** Refusals are spread over ticks too: refused clients retry at once and would keep the queue from moving. */
  const refused: Queue = new Map()
  const { status, ...outcome } = outcomeOf(overloaded)
  const refusal = JSON.stringify(refusalOf({ status, ...outcome }))
  const refusalHeaders = {
    ...commonHeaders,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(refusal),
    'Cache-Control': 'no-store',
    'Retry-After': retryAfterSeconds,
  }
  /** Upper bound for one measurement: a suspended machine must not look like a slow form. */
  const maxMsPerForm = maxWaitMs / maxPerTick
  let msPerForm = initialMsPerForm
  let begunInTick = 0
  /** Requests other than forms since the tick began. */
  let othersInTick = 0
  let tickStartedAt = 0
  let isTickScheduled = false

  function begin(request: QueuedRequest, response: ServerResponse): void {
    begunInTick += 1
    scheduleTick()
    handle(request, response)
  }

  /** Scripts get the shortest possible JSON refusal. A plain form goes on to Fastify, which renders a page. */
  function refuse(request: QueuedRequest, response: ServerResponse): void {
    if (request.headers['content-type'] === 'application/json') {
      metrics.shed('line')
      response.writeHead(status, refusalHeaders).end(refusal)
    } else {
      request[shedMark] = true
      handle(request, response)
    }
  }

  function scheduleTick(): void {
    if (isTickScheduled) return
    isTickScheduled = true
    othersInTick = 0
    tickStartedAt = performance.now()
    setImmediate(tick)
  }

  function tick(): void {
    // Without a queue the tick was not full, so its duration says nothing about a form.
    if (queue.size > 0) {
      const measured = Math.min((performance.now() - tickStartedAt) / begunInTick, maxMsPerForm)
      msPerForm += averageWeight * (measured - msPerForm)
    }
    // Many reads must not stop the queue, so they raise the number of forms.
    const limit = maxPerTick + othersInTick
    isTickScheduled = false
    begunInTick = 0
    takeFrom(queue, limit, begin)
    takeFrom(refused, Math.max(limit, refused.size / ticksToRefuseAll), refuse)
    if (queue.size + refused.size > 0) scheduleTick()
  }

  function takeFrom(waiting: Queue, limit: number, process: typeof begin): void {
    let taken = 0
    for (const [request, response] of waiting) {
      if (taken >= limit) break
      waiting.delete(request)
      if (request.socket.destroyed) continue
      taken += 1
      process(request, response)
    }
  }

  return (request: QueuedRequest, response: ServerResponse) => {
    // A read costs less than queueing it.
    if (request.method !== 'POST' || exemptPaths.test(request.url ?? '')) {
      othersInTick += 1
      handle(request, response)
    } else if (queue.size === 0 && begunInTick < maxPerTick) begin(request, response)
    else if (queue.size * msPerForm < maxWaitMs) queue.set(request, response)
    else refused.set(request, response)
  }
}

/** Whether load shedding refused this request. Checked in onRequest, before the body is parsed. */
export function isShed(request: IncomingMessage): boolean {
  return (request as QueuedRequest)[shedMark] === true
}
