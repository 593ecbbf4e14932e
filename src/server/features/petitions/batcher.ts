// Collects what arrives while the previous batch commits, and commits it together. No timer: an idle site adds no delay.
import { messages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'

export interface BatcherOptions<T> {
  commit(batch: T[]): Promise<void>
  /** Whether a failed commit may succeed when it is tried again. */
  isTransient(error: unknown): boolean
  maxBatch?: number
  maxQueue?: number
  /** How long a batch is tried before its people are told to come back. */
  patienceMs?: number
}

export interface Batcher<T> {
  /** Settles once the item is committed, or known not to be. */
  add(item: T): Promise<void>
  /** Waits for everything that was accepted; what comes later is refused. */
  close(): Promise<void>
}

interface Waiting<T> {
  item: T
  resolve(): void
  reject(error: unknown): void
}

export function createBatcher<T>(options: BatcherOptions<T>): Batcher<T> {
  const { commit, isTransient, maxBatch = 250, maxQueue = 5_000, patienceMs = 3_000 } = options
  let queue: Waiting<T>[] = []
  let committing: Promise<void> | undefined
  let databaseAway = false
  let closed = false

  async function commitWithRetries(batch: T[]): Promise<void> {
    // When the last batch could not be saved, this one finds out at once instead of making its people wait as well.
    const deadline = performance.now() + (databaseAway ? 0 : patienceMs)
    for (let delay = 50; ; delay = Math.min(delay * 2, 800)) {
      try {
        await commit(batch)
        databaseAway = false
        return
      } catch (error) {
        if (!isTransient(error)) throw error
        if (performance.now() + delay > deadline) {
          databaseAway = true
          throw error
        }
        await new Promise((resolve) => setTimeout(resolve, delay))
      }
    }
  }

  async function commitQueue(): Promise<void> {
    // Requests that are already parsed join the first batch.
    await new Promise(setImmediate)
    while (queue.length > 0) {
      const batch = queue.slice(0, maxBatch)
      queue = queue.slice(maxBatch)
      try {
        await commitWithRetries(batch.map(({ item }) => item))
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    committing = undefined
  }

  return {
    add(item) {
      if (closed || queue.length >= maxQueue)
        return Promise.reject(new AppError('unavailable', messages.http.unavailable))
      return new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject })
        committing ??= commitQueue()
      })
    },
    async close() {
      closed = true
      await committing
    },
  }
}
