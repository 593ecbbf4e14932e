// Commits all items that arrive during the previous commit as one batch. No timer, so an idle site adds no delay.
import { overloaded } from '#server/core/errors.ts'
import { retry } from '#server/core/retry.ts'

interface BatcherOptions<T> {
  commit(batch: T[]): Promise<void>
  /** Whether a failed commit may succeed on a retry. */
  isTransient(error: unknown): boolean
  maxBatch?: number
  maxQueue?: number
  /** An item is refused if the queue would take longer than this at the current rate. */
  maxWaitMs?: number
  /** How long a batch is retried before its items are rejected. */
  maxRetryMs?: number
  onCommit?(size: number, seconds: number): void
  /** Called when an item is refused because the queue is full. */
  onFull?(): void
}

interface Batcher<T> {
  /** Settles when the item is committed or has failed. */
  add(item: T): Promise<void>
  waiting(): number
  /** Waits for all accepted items. Later items are refused. */
  close(): Promise<void>
}

interface Waiting<T> {
  item: T
  resolve(): void
  reject(error: unknown): void
}

export function createBatcher<T>(options: BatcherOptions<T>): Batcher<T> {
  const { commit, isTransient, maxBatch = 2_000, maxQueue = 8_000 } = options
  const { maxRetryMs = 3_000, maxWaitMs = 700, onCommit, onFull } = options
  const queue: Waiting<T>[] = []
  let committing: Promise<void> | undefined
  let isDatabaseDown = false
  let closed = false
  /** Average over recent large batches. Small batches only measure the round trip. */
  let itemsPerMs = Number.POSITIVE_INFINITY

  async function commitWithRetries(batch: T[]): Promise<void> {
    // After a batch that could not be stored, the next one is not retried, so that its clients do not wait as well.
    try {
      await retry(() => commit(batch), { isTransient, timeoutMs: isDatabaseDown ? 0 : maxRetryMs })
      isDatabaseDown = false
    } catch (error) {
      if (isTransient(error)) isDatabaseDown = true
      throw error
    }
  }

  /** An item that cannot be stored must not fail the others: a failing batch is split until that item is alone. */
  async function settle(batch: Waiting<T>[]): Promise<void> {
    const startedAt = performance.now()
    try {
      await commitWithRetries(batch.map(({ item }) => item))
      const tookMs = performance.now() - startedAt
      if (batch.length >= maxBatch / 20)
        itemsPerMs = Number.isFinite(itemsPerMs)
          ? 0.8 * itemsPerMs + 0.2 * (batch.length / tookMs)
          : batch.length / tookMs
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
    return queue.length >= maxQueue || (queue.length >= maxBatch && queue.length > itemsPerMs * maxWaitMs)
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
        return Promise.reject(overloaded)
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
