// One courier on one node: claims as much as it has hands for, delivers it, and records what became of it.
import type { Log } from '#server/core/log.ts'
import type { Metrics } from '#server/core/metrics.ts'
import type { Rush } from '#server/core/rush.ts'
import { tryAgain } from '#server/core/try-again.ts'
import { isTransient } from '#server/db/database.ts'
import { type Courier, type Delivery, DeliveryFailure, type FailureKind, type Settle } from '#server/outbox/delivery.ts'
import type { Queue } from '#server/outbox/queue.ts'

export interface RunnerDeps {
  queue: Queue
  log: Log
  metrics: Metrics
  rush: Rush
}

export interface Runner {
  /** Looks for work now; nothing happens if it is already looking. */
  wake(): void
  /** What it holds at this moment. */
  held(): number[]
  /** Claims nothing more, waits a while for what is under way, and hands the rest back. */
  stop(patienceMs: number): Promise<void>
}

const shortestRestMs = 1_000
const longestRestMs = 60_000

export function createRunner(courier: Courier, { queue, log, metrics, rush }: RunnerDeps): Runner {
  const { name: destination, atOnce, batch = 1 } = courier
  const held = new Set<number>()
  const underWay = new Set<Promise<void>>()
  let looking: Promise<void> | undefined
  let lookAgain = false
  let timer: NodeJS.Timeout | undefined
  let restMs = 0
  const leaving = new AbortController()

  function wake(): void {
    lookAgain = true
    // While it rests, the timer alone wakes it.
    if (leaving.signal.aborted || looking || isResting()) return
    looking = look().finally(() => {
      looking = undefined
    })
  }

  const isResting = () => timer !== undefined && restMs > 0

  function wakeAfter(delayMs: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      timer = undefined
      wake()
    }, delayMs)
  }

  async function look(): Promise<void> {
    try {
      while (lookAgain && !leaving.signal.aborted) {
        lookAgain = false
        if (underWay.size < atOnce) lookAgain = (await rush.behind(takeUp, leaving.signal)) || lookAgain
      }
    } catch (error) {
      // The database is away: the next poll finds out whether it is back.
      log.warn({ err: error, destination }, 'deliveries not claimed')
    }
  }

  /** Says whether to look again at once. */
  async function takeUp(): Promise<boolean> {
    // It may have begun to rest, or to leave, while it waited for its turn.
    if (leaving.signal.aborted || isResting()) return false
    // A destination that was away is asked with one delivery whether it is back.
    const { deliveries, waitMs } = await queue.claim(courier, restMs > 0 ? 1 : (atOnce - underWay.size) * batch)
    if (waitMs !== undefined && !isResting()) wakeAfter(waitMs)
    if (deliveries.length === 0) return waitMs === undefined && ((await courier.refill?.()) ?? false)
    for (const { id } of deliveries) held.add(id)
    for (let from = 0; from < deliveries.length; from += batch) start(deliveries.slice(from, from + batch))
    return waitMs === undefined && underWay.size < atOnce && restMs === 0
  }

  function start(deliveries: Delivery[]): void {
    const work = perform(deliveries)
      .catch((error) => log.warn({ err: error, destination }, 'outcome of a delivery not recorded'))
      .finally(() => {
        underWay.delete(work)
        for (const { id } of deliveries) held.delete(id)
        wake()
      })
    underWay.add(work)
  }

  async function perform(deliveries: Delivery[]): Promise<void> {
    const open = new Set(deliveries)
    const settle: Settle = {
      async done(some) {
        const ids = forget(open, some)
        restMs = 0
        // It is done, and would be done again by whoever finds it in the queue.
        await tryAgain(() => queue.done(ids), { patienceMs: 20_000, isTransient })
        metrics.deliveries.inc({ destination, outcome: 'done' }, some.length)
      },
      async failed(some, error) {
        forget(open, some)
        await recordFailure(some, error)
      },
      async later(some) {
        await queue.handBack(forget(open, some))
      },
    }
    try {
      await courier.perform(deliveries, settle)
      if (open.size > 0) await settle.done([...open])
    } catch (error) {
      if (open.size === 0) throw error
      await settle.failed([...open], error)
    }
  }

  async function recordFailure(deliveries: Delivery[], error: unknown): Promise<void> {
    const { kind, reason } = explain(error)
    const ids = deliveries.map(({ id }) => id)
    if (leaving.signal.aborted) return queue.handBack(ids)
    metrics.deliveries.inc({ destination, outcome: kind }, deliveries.length)
    if (!(error instanceof DeliveryFailure)) log.warn({ err: error, destination }, 'delivery failed unexpectedly')
    if (kind === 'away') {
      if (restMs === 0) log.warn({ destination }, 'destination away')
      rest()
      return queue.handBack(ids, reason)
    }
    // It has answered.
    restMs = 0
    if (kind === 'refused') return queue.done(ids)
    for (const delivery of deliveries) await queue.failed(delivery, reason, kind === 'never' ? 'parked' : 'again')
  }

  function rest(): void {
    // Deliveries that were under way together fail together.
    if (isResting()) return
    restMs = Math.min(Math.max(restMs * 2, shortestRestMs), longestRestMs)
    wakeAfter(restMs * (0.75 + Math.random() / 2))
  }

  return {
    wake,
    held: () => [...held],
    async stop(patienceMs) {
      leaving.abort()
      clearTimeout(timer)
      await looking
      const all = Promise.allSettled(underWay)
      await Promise.race([all, new Promise((resolve) => setTimeout(resolve, patienceMs).unref())])
      courier.abort?.()
      await Promise.race([all, new Promise((resolve) => setTimeout(resolve, 500).unref())])
      // Without a database they stay ours until the lease ends, and the rest of the node leaves in order.
      if (held.size > 0) {
        await queue
          .handBack([...held])
          .catch((error) => log.warn({ err: error, destination }, 'queue of deliveries not reached'))
      }
    },
  }
}

function forget(open: Set<Delivery>, some: Delivery[]): number[] {
  for (const delivery of some) open.delete(delivery)
  return some.map(({ id }) => id)
}

/** Never the message, which may quote what it stumbled on. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return (error as NodeJS.ErrnoException).code ?? error.name
}

function explain(error: unknown): { kind: FailureKind; reason: string } {
  if (error instanceof DeliveryFailure) return { kind: error.kind, reason: error.message }
  if (isTransient(error)) return { kind: 'away', reason: 'O banco de dados não respondeu.' }
  return { kind: 'again', reason: `Falha inesperada: ${codeOf(error)}` }
}
