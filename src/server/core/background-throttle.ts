// Delays background work (deliveries, search index, statistics) while signatures arrive faster than single commits could handle.
import { setTimeout as delay } from 'node:timers/promises'

interface Clock {
  now(): number
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => {}),
}

/** Average batch size from which the site counts as under load. */
const loadedBatchSize = 10
/** The load ends after this time without a commit. */
const idleAfterMs = 200
/** Pause as a multiple of the duration of the work. With 9, signing lost a quarter of its rate. */
const pauseFactor = 49
const maxPauseMs = 5_000

export type BackgroundThrottle = ReturnType<typeof createBackgroundThrottle>

export function createBackgroundThrottle({ now, sleep }: Clock = systemClock) {
  let averageBatchSize = 0
  let lastCommitAt = Number.NEGATIVE_INFINITY
  let commitsInFlight = 0
  let pausedUntil = Number.NEGATIVE_INFINITY
  const waiting = new Set<symbol>()

  const isLoaded = () =>
    averageBatchSize >= loadedBatchSize && (commitsInFlight > 0 || now() - lastCommitAt < idleAfterMs)
  const isFirst = (ticket: symbol) => waiting.values().next().value === ticket

  async function runUndelayed<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = now()
    try {
      return await work()
    } finally {
      const endedAt = now()
      const pauseMs = pauseFactor * (endedAt - startedAt)
      pausedUntil = Math.min(Math.max(pausedUntil, endedAt) + pauseMs, endedAt + maxPauseMs)
    }
  }

  return {
    /** Runs the commit of one batch of signatures. Batch sizes tell whether the site is under load. */
    async trackCommit<T>(signatures: number, commit: () => Promise<T>): Promise<T> {
      commitsInFlight += 1
      try {
        return await commit()
      } finally {
        commitsInFlight -= 1
        averageBatchSize = 0.9 * averageBatchSize + 0.1 * signatures
        lastCommitAt = now()
      }
    },
    /** Whether signatures arrive faster than single commits could handle. */
    isLoaded,
    /** Runs work that cannot wait, and lengthens the next pause by its duration. */
    runUndelayed,
    /**
     * Runs background work: immediately when idle; under load one task at a time, with pauses in proportion to its duration.
     * An aborted signal ends the waiting; the task must then check the signal itself.
     */
    async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      const ticket = Symbol()
      waiting.add(ticket)
      try {
        while (isLoaded() && !signal?.aborted && !(isFirst(ticket) && now() >= pausedUntil)) {
          const pauseMs = pausedUntil - now()
          await sleep(pauseMs > 0 ? Math.min(pauseMs, idleAfterMs) : idleAfterMs, signal)
        }
        return await runUndelayed(work)
      } finally {
        waiting.delete(ticket)
      }
    },
  }
}
