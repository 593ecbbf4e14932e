// Runs the fan-out and the delivery handlers of a node: at once for its own requests, by polling for those of others.
import type { BackgroundThrottle } from '#server/core/background-throttle.ts'
import type { Log } from '#server/core/log.ts'
import type { Runner } from '#server/outbox/queue/delivery-runner.ts'
import type { FanOut } from '#server/outbox/queue/fan-out.ts'
import type { Queue } from '#server/outbox/queue/queue.ts'

export interface WorkerParts {
  queue: Queue
  fanOut: FanOut
  runners: Runner[]
  log: Log
  throttle: BackgroundThrottle
  pollMs?: number
  /** How often the leases of running deliveries are renewed. */
  renewMs?: number
  /** How long running deliveries may continue when the node stops. */
  stopTimeoutMs?: number
}

/** Rows that are written within this time are processed together: doing it for each batch would slow down signing. */
const gatherMs = 100

export type Worker = ReturnType<typeof startWorker>

export function startWorker(parts: WorkerParts) {
  const { queue, fanOut, runners, log, throttle } = parts
  const { pollMs = 5_000, renewMs = 10_000, stopTimeoutMs = 3_000 } = parts
  let gathering: NodeJS.Timeout | undefined
  let fanningOut: Promise<void> | undefined
  let fanOutAgain = false
  const stopping = new AbortController()

  function wake(): void {
    if (!stopping.signal.aborted) gathering ??= setTimeout(startFanOut, gatherMs)
  }

  function startFanOut(): void {
    gathering = undefined
    fanOutAgain = true
    fanningOut ??= fanOutAll().finally(() => {
      fanningOut = undefined
    })
  }

  async function fanOutAll(): Promise<void> {
    while (fanOutAgain && !stopping.signal.aborted) {
      fanOutAgain = false
      try {
        fanOutAgain = (await throttle.run(fanOutOnce, stopping.signal)) || fanOutAgain
      } catch (error) {
        log.warn({ err: error }, 'deliveries not expanded')
      }
      // After each round, not at the end: while people keep signing, there is always another round.
      if (!stopping.signal.aborted) for (const runner of runners) runner.wake()
    }
  }

  const fanOutOnce = async () => !stopping.signal.aborted && fanOut.run()

  // Random, so that nodes that started together do not poll together.
  const poll = repeat(
    () => pollMs * (0.75 + Math.random() / 2),
    async () => {
      if (await queue.isDue()) startFanOut()
    },
  )
  const renewal = repeat(
    () => renewMs,
    async () => {
      const held = runners.flatMap((runner) => runner.held())
      if (held.length > 0) await queue.renew(held)
    },
  )

  function repeat(periodMs: () => number, work: () => Promise<void>) {
    let timer: NodeJS.Timeout
    const next = () => {
      timer = setTimeout(async () => {
        await work().catch((error) => log.warn({ err: error }, 'queue of deliveries not reached'))
        if (!stopping.signal.aborted) next()
      }, periodMs())
    }
    next()
    return { end: () => clearTimeout(timer) }
  }

  // For rows of an earlier run.
  wake()
  return {
    wake,
    async stop(): Promise<void> {
      stopping.abort()
      clearTimeout(gathering)
      poll.end()
      await fanningOut
      await Promise.all(runners.map((runner) => runner.stop(stopTimeoutMs)))
      renewal.end()
    },
  }
}
