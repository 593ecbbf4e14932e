// Collects what arrives while the previous batch commits, and commits it together. No timer: an idle site adds no delay.
import { messages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'
import { tryAgain } from '#server/core/try-again.ts'

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
  const queue: Waiting<T>[] = []
  let committing: Promise<void> | undefined
  let databaseAway = false
  let closed = false

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
    try {
      await commitWithRetries(batch.map(({ item }) => item))
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
