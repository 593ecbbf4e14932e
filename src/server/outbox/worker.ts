// Sends the couriers of this node out: at once when its own requests leave work, by a cheap question now and then for what others left.
import type { Log } from '#server/core/log.ts'
import type { Rush } from '#server/core/rush.ts'
import type { Expansion } from '#server/outbox/expand.ts'
import type { Queue } from '#server/outbox/queue.ts'
import type { Runner } from '#server/outbox/runner.ts'

export interface WorkerParts {
  queue: Queue
  expansion: Expansion
  runners: Runner[]
  /** Done now and then: forgets what nobody needs any more. */
  tidy(): Promise<void>
  log: Log
  rush: Rush
  pollMs?: number
  /** How often the leases of what is under way are renewed. */
  renewMs?: number
  /** How long deliveries under way may take to end when the node stops. */
  stopPatienceMs?: number
}

export interface Worker {
  wake(): void
  stop(): Promise<void>
}

/** What is written within this time is taken up together; signing must not pay for each batch. */
const gatherMs = 100
const tidyMs = 3_600_000

export function startWorker(parts: WorkerParts): Worker {
  const { queue, expansion, runners, tidy, log, rush } = parts
  const { pollMs = 5_000, renewMs = 10_000, stopPatienceMs = 3_000 } = parts
  let gathering: NodeJS.Timeout | undefined
  let expanding: Promise<void> | undefined
  let expandAgain = false
  const leaving = new AbortController()

  function wake(): void {
    if (!leaving.signal.aborted) gathering ??= setTimeout(takeUp, gatherMs)
  }

  function takeUp(): void {
    gathering = undefined
    expandAgain = true
    expanding ??= expandAll().finally(() => {
      expanding = undefined
    })
  }

  async function expandAll(): Promise<void> {
    while (expandAgain && !leaving.signal.aborted) {
      expandAgain = false
      try {
        expandAgain = (await rush.behind(expand, leaving.signal)) || expandAgain
      } catch (error) {
        log.warn({ err: error }, 'deliveries not expanded')
      }
      // After each turn: while people keep signing there is always another one.
      if (!leaving.signal.aborted) for (const runner of runners) runner.wake()
    }
  }

  const expand = async () => !leaving.signal.aborted && expansion.expand()

  // Nodes that started together must not ask together for ever.
  const poll = repeat(
    () => pollMs * (0.75 + Math.random() / 2),
    async () => {
      if (await queue.isDue()) takeUp()
    },
  )
  const renewal = repeat(
    () => renewMs,
    async () => {
      const held = runners.flatMap((runner) => runner.held())
      if (held.length > 0) await queue.renew(held)
    },
  )

  const tidying = repeat(() => tidyMs * (0.75 + Math.random() / 2), tidy)

  function repeat(periodMs: () => number, work: () => Promise<void>) {
    let timer: NodeJS.Timeout
    const next = () => {
      timer = setTimeout(async () => {
        await work().catch((error) => log.warn({ err: error }, 'queue of deliveries not reached'))
        if (!leaving.signal.aborted) next()
      }, periodMs())
    }
    next()
    return { end: () => clearTimeout(timer) }
  }

  // What was left by an earlier run.
  wake()
  return {
    wake,
    async stop() {
      leaving.abort()
      clearTimeout(gathering)
      poll.end()
      tidying.end()
      await expanding
      await Promise.all(runners.map((runner) => runner.stop(stopPatienceMs)))
      renewal.end()
    },
  }
}
