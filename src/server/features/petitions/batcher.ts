// Collects what arrives while the previous batch commits, and commits it together. No timer: an idle site adds no delay.
import { lineIsFull } from '#server/core/errors.ts'
import { tryAgain } from '#server/core/try-again.ts'

export interface BatcherOptions<T> {
  commit(batch: T[]): Promise<void>
  /** Whether a failed commit may succeed when it is tried again. */
  isTransient(error: unknown): boolean
  maxBatch?: number
  maxQueue?: number
  /** Nobody is let into a line that would take longer than this at its present pace. */
  longestWaitMs?: number
  /** How long a batch is tried before its people are told to come back. */
  patienceMs?: number
  onCommit?(size: number, seconds: number): void
  /** Somebody was sent away, because the line is as long as it may be. */
  onFull?(): void
}

export interface Batcher<T> {
  /** Settles once the item is committed, or known not to be. */
  add(item: T): Promise<void>
  waiting(): number
  /** Waits for everything that was accepted; what comes later is refused. */
  close(): Promise<void>
}

interface Waiting<T> {
  item: T
  resolve(): void
  reject(error: unknown): void
}

export function createBatcher<T>(options: BatcherOptions<T>): Batcher<T> {
  const { commit, isTransient, maxBatch = 2_000, maxQueue = 8_000, patienceMs = 3_000 } = options
  const { longestWaitMs = 700, onCommit, onFull } = options
  const queue: Waiting<T>[] = []
  let committing: Promise<void> | undefined
  let databaseAway = false
  let closed = false
  /** Items a millisecond, as batches of some size have lately gone. Small ones tell of the round trip alone. */
  let pace = Number.POSITIVE_INFINITY

  async function commitWithRetries(batch: T[]): Promise<void> {
    // When the last batch could not be saved, this one finds out at once instead of making its people wait as well.
    try {
      await tryAgain(() => commit(batch), { isTransient, patienceMs: databaseAway ? 0 : patienceMs })
      databaseAway = false
    } catch (error) {
      if (isTransient(error)) databaseAway = true
      throw error
    }
  }

  /** One item that cannot be stored must not cost the others theirs: a failing batch is parted until it stands alone. */
  async function settle(batch: Waiting<T>[]): Promise<void> {
    const startedAt = performance.now()
    try {
      await commitWithRetries(batch.map(({ item }) => item))
      const tookMs = performance.now() - startedAt
      if (batch.length >= maxBatch / 20)
        pace = Number.isFinite(pace) ? 0.8 * pace + 0.2 * (batch.length / tookMs) : batch.length / tookMs
      onCommit?.(batch.length, tookMs / 1000)
      for (const { resolve } of batch) resolve()
    } catch (error) {
      if (isTransient(error)) refuse([...batch, ...queue.splice(0)], error)
      else if (batch.length === 1) refuse(batch, error)
      else {
        const middle = Math.ceil(batch.length / 2)
        await settle(batch.slice(0, middle))
        await settle(batch.slice(middle))
      }
    }
  }

  function isFull(): boolean {
    return queue.length >= maxQueue || (queue.length >= maxBatch && queue.length > pace * longestWaitMs)
  }

  function refuse(waiting: Waiting<T>[], error: unknown): void {
    for (const { reject } of waiting) reject(error)
  }

  async function commitQueue(): Promise<void> {
    // Requests that are already parsed join the first batch.
    await new Promise(setImmediate)
    while (queue.length > 0) await settle(queue.splice(0, maxBatch))
    committing = undefined
  }

  return {
    add(item) {
      if (closed || isFull()) {
        onFull?.()
        return Promise.reject(lineIsFull)
      }
      return new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject })
        committing ??= commitQueue()
      })
    },
    waiting: () => queue.length,
    async close() {
      closed = true
      await committing
    },
  }
}
