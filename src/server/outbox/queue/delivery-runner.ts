// Runs one delivery handler on one node: claims deliveries, calls the handler, records the results.
import type { BackgroundThrottle } from '#server/core/background-throttle.ts'
import type { Log } from '#server/core/log.ts'
import type { Metrics } from '#server/core/metrics.ts'
import { retry } from '#server/core/retry.ts'
import { isTransient } from '#server/db/database.ts'
import type { Delivery, DeliveryHandler, Settle } from '#server/outbox/queue/delivery.ts'
import { parsePayload, unreadableReason } from '#server/outbox/queue/kinds.ts'
import type { Queue } from '#server/outbox/queue/queue.ts'
import { DeliveryFailure, explainFailure, nextPauseMs, withJitter } from '#server/outbox/queue/retry-policy.ts'

interface RunnerDeps {
  queue: Queue
  log: Log
  metrics: Metrics
  throttle: BackgroundThrottle
}

export type Runner = ReturnType<typeof createRunner>

export function createRunner(handler: DeliveryHandler, { queue, log, metrics, throttle }: RunnerDeps) {
  const { name: destination, atOnce, batch = 1 } = handler
  const held = new Set<number>()
  const running = new Set<Promise<void>>()
  let claiming: Promise<void> | undefined
  let claimAgain = false
  let timer: NodeJS.Timeout | undefined
  let pauseMs = 0
  const stopping = new AbortController()

  function wake(): void {
    claimAgain = true
    // During a pause only the timer wakes the runner.
    if (stopping.signal.aborted || claiming || isPaused()) return
    claiming = claimAll().finally(() => {
      claiming = undefined
    })
  }

  const isPaused = () => timer !== undefined && pauseMs > 0

  function wakeAfter(delayMs: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      timer = undefined
      wake()
    }, delayMs)
  }

  async function claimAll(): Promise<void> {
    try {
      while (claimAgain && !stopping.signal.aborted) {
        claimAgain = false
        if (running.size < atOnce) claimAgain = (await throttle.run(claimOnce, stopping.signal)) || claimAgain
      }
    } catch (error) {
      // The database is unreachable. The next poll tries again.
      log.warn({ err: error, destination }, 'deliveries not claimed')
    }
  }

  /** Returns whether to claim again at once. */
  async function claimOnce(): Promise<boolean> {
    // A pause or the stop may have begun while the throttle delayed this call.
    if (stopping.signal.aborted || isPaused()) return false
    // A destination that was unreachable is probed with one delivery.
    const { deliveries, waitMs } = await queue.claim(handler, pauseMs > 0 ? 1 : (atOnce - running.size) * batch)
    if (waitMs !== undefined && !isPaused()) wakeAfter(waitMs)
    if (deliveries.length === 0) return waitMs === undefined && ((await handler.refill?.()) ?? false)
    for (const { id } of deliveries) held.add(id)
    for (let from = 0; from < deliveries.length; from += batch) start(deliveries.slice(from, from + batch))
    return waitMs === undefined && running.size < atOnce && pauseMs === 0
  }

  function start(deliveries: Delivery[]): void {
    const task = perform(deliveries)
      .catch((error) => log.warn({ err: error, destination }, 'outcome of a delivery not recorded'))
      .finally(() => {
        running.delete(task)
        for (const { id } of deliveries) held.delete(id)
        wake()
      })
    running.add(task)
  }

  async function perform(deliveries: Delivery[]): Promise<void> {
    const open = new Set(deliveries)
    const settle: Settle = {
      async done(some) {
        const ids = removeFrom(open, some)
        pauseMs = 0
        // If this cannot be recorded, another worker would deliver it again.
        await retry(() => queue.done(ids), { timeoutMs: 20_000, isTransient })
        metrics.deliveries.inc({ destination, outcome: 'done' }, some.length)
      },
      async failed(some, error) {
        removeFrom(open, some)
        await recordFailure(some, error)
      },
      async later(some, options) {
        await queue.handBack(removeFrom(open, some), options)
      },
    }
    try {
      await parsePayloads(open)
      if (open.size > 0) await handler.perform([...open], settle)
      if (open.size > 0) await settle.done([...open])
    } catch (error) {
      if (open.size === 0) throw error
      await settle.failed([...open], error)
    }
  }

  /** A delivery whose payload does not match the schema of its kind becomes a dead letter. */
  async function parsePayloads(open: Set<Delivery>): Promise<void> {
    for (const delivery of [...open]) {
      const { success, data } = parsePayload(delivery.kind, delivery.payload)
      if (success) {
        delivery.payload = data
      } else {
        metrics.deliveries.inc({ destination, outcome: 'never' })
        await queue.failed(delivery, unreadableReason(delivery.kind), 'dead')
        open.delete(delivery)
      }
    }
  }

  async function recordFailure(deliveries: Delivery[], error: unknown): Promise<void> {
    const { kind, reason } = explainFailure(error)
    const ids = deliveries.map(({ id }) => id)
    if (stopping.signal.aborted) return queue.handBack(ids)
    metrics.deliveries.inc({ destination, outcome: kind }, deliveries.length)
    if (!(error instanceof DeliveryFailure)) log.warn({ err: error, destination }, 'delivery failed unexpectedly')
    if (kind === 'away') {
      if (pauseMs === 0) log.warn({ destination }, 'destination away')
      pause()
      return queue.handBack(ids, { reason })
    }
    // The destination has responded, so it is reachable.
    pauseMs = 0
    if (kind === 'refused') return queue.done(ids)
    for (const delivery of deliveries) await queue.failed(delivery, reason, kind === 'never' ? 'dead' : 'again')
  }

  function pause(): void {
    // Deliveries that ran at the same time fail at the same time. They cause one pause.
    if (isPaused()) return
    pauseMs = nextPauseMs(pauseMs)
    wakeAfter(withJitter(pauseMs))
  }

  return {
    /** Claims due deliveries now, unless it is already claiming. */
    wake,
    /** The ids of the deliveries that it has claimed and not finished. */
    held: (): number[] => [...held],
    /** Claims nothing more, waits for running deliveries until the timeout, and returns the others to the queue. */
    async stop(timeoutMs: number): Promise<void> {
      stopping.abort()
      clearTimeout(timer)
      await claiming
      const all = Promise.allSettled(running)
      await Promise.race([all, new Promise((resolve) => setTimeout(resolve, timeoutMs).unref())])
      handler.abort?.()
      await Promise.race([all, new Promise((resolve) => setTimeout(resolve, 500).unref())])
      // If the database is unreachable, the claims expire with their lease. The node must still stop in order.
      if (held.size > 0) {
        await queue
          .handBack([...held])
          .catch((error) => log.warn({ err: error, destination }, 'queue of deliveries not reached'))
      }
    },
  }
}

function removeFrom(open: Set<Delivery>, settled: Delivery[]): number[] {
  for (const delivery of settled) open.delete(delivery)
  return settled.map(({ id }) => id)
}
