import { httpMessages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'

interface ConcurrencyLimitOptions {
  maxAtOnce: number
  maxWaiting: number
  /** Work that waited longer is rejected: its caller has given up by then. */
  maxWaitMs?: number
  onRefusal?: () => void
}

type ConcurrencyLimit = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Runs at most `maxAtOnce` tasks. Up to `maxWaiting` tasks wait in a queue; further tasks are rejected. */
export function createConcurrencyLimit(options: ConcurrencyLimitOptions): ConcurrencyLimit {
  const { maxAtOnce, maxWaiting, maxWaitMs = Number.POSITIVE_INFINITY, onRefusal } = options
  const queue: (() => void)[] = []
  let running = 0

  function refuse(): never {
    onRefusal?.()
    throw new AppError('unavailable', httpMessages.unavailable)
  }

  return async (work) => {
    const arrivedAt = performance.now()
    if (running < maxAtOnce) running += 1
    else if (queue.length < maxWaiting) await new Promise<void>((resolve) => queue.push(resolve))
    else refuse()
    try {
      if (performance.now() - arrivedAt > maxWaitMs) refuse()
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running -= 1
    }
  }
}
