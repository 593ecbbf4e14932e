// Looks up keys together: those that arrive during a lookup, or shortly after it, share the next one. A flood of requests
// with invented keys then causes few queries. A lookup after a pause starts at once.
import { setTimeout as delay } from 'node:timers/promises'
import { overloaded } from '#server/core/errors.ts'

interface BatchLookupOptions {
  /** Pause between two lookups. */
  periodMs?: number
  /** Further keys are rejected. */
  maxWaiting?: number
}

/** `read` returns the values of the keys that exist. */
export function createBatchLookup<Value>(
  read: (keys: string[]) => Promise<ReadonlyMap<string, Value>>,
  { periodMs = 20, maxWaiting = 5_000 }: BatchLookupOptions = {},
): (key: string) => Promise<Value | undefined> {
  let waiting = new Map<string, PromiseWithResolvers<Value | undefined>>()
  let isRunning = false

  async function run(): Promise<void> {
    while (waiting.size > 0) {
      const batch = waiting
      waiting = new Map()
      try {
        const found = await read([...batch.keys()])
        for (const [key, { resolve }] of batch) resolve(found.get(key))
      } catch (error) {
        for (const { reject } of batch.values()) reject(error)
      }
      await delay(periodMs)
    }
    isRunning = false
  }

  return async (key) => {
    const known = waiting.get(key)
    if (known) return known.promise
    if (waiting.size >= maxWaiting) throw overloaded
    const added = Promise.withResolvers<Value | undefined>()
    waiting.set(key, added)
    if (!isRunning) {
      isRunning = true
      void run()
    }
    return added.promise
  }
}
