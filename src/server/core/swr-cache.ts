// Caches one value. Reads at most once per period, one read at a time. Serves the last value if a read fails or lags.
export interface SwrCache<T> {
  /** A value not older than `maxAgeMs`. Default: the period. */
  get(maxAgeMs?: number): Promise<T>
  /** The cached value, if it is not older than the period. */
  peek(): T | undefined
  /** A value that was really read within `maxAgeMs`. Waits for the read without limit; fails if the read fails. */
  fresh(maxAgeMs: number): Promise<T>
  /** Later calls read again. If that fails, the last value is still served. */
  expire(): void
}

interface SwrCacheOptions {
  periodMs: number
  /** How long a caller waits for a new value before it gets the last one. */
  maxWaitMs?: number
  onFailure(error: unknown): void
  /** Whether a failure means that the last value is no longer valid. Other failures say nothing about it. */
  isFinal?(error: unknown): boolean
}

export function createSwrCache<T>(read: () => Promise<T>, options: SwrCacheOptions): SwrCache<T> {
  const { periodMs, maxWaitMs = 300, onFailure, isFinal } = options
  let last: { value: T } | undefined
  /** When the value counts as read: also moved by failed and slow reads. */
  let readAt = Number.NEGATIVE_INFINITY
  /** When the value was really read. */
  let successfulReadAt = Number.NEGATIVE_INFINITY
  let reading: Promise<T> | undefined
  /** The same read, without the time limit of `reading`. */
  let unlimitedReading: Promise<T> | undefined
  /** Number of the newest read. Results of older reads are not stored. */
  let latest = 0

  async function refresh(): Promise<T> {
    const number = ++latest
    // The age counts from the start of the read: the result may miss what was committed during it.
    const startedAt = performance.now()
    try {
      unlimitedReading = read()
      const value = await unlimitedReading
      if (number === latest) {
        last = { value }
        readAt = startedAt
        successfulReadAt = startedAt
      }
      return value
    } catch (error) {
      if (number === latest && isFinal?.(error)) last = undefined
      if (!last) throw error
      onFailure(error)
      if (number === latest) readAt = performance.now()
      return last.value
    } finally {
      if (number === latest) reading = undefined
    }
  }

  function refreshWithTimeout(): Promise<T> {
    const refreshed = refresh()
    const number = latest
    const previous = last
    if (!previous) return refreshed
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // The last value counts as read for another period, so that callers do not queue up at a hanging database.
        if (number === latest) readAt = performance.now()
        resolve(previous.value)
      }, maxWaitMs)
      refreshed.then(resolve, reject).finally(() => clearTimeout(timer))
    })
  }

  const cached = (maxAgeMs: number) => (last && performance.now() - readAt < maxAgeMs ? last : undefined)

  return {
    peek: () => cached(periodMs)?.value,
    async get(maxAgeMs = periodMs) {
      const hit = cached(maxAgeMs)
      if (hit) return hit.value
      reading ??= refreshWithTimeout()
      return reading
    },
    async fresh(maxAgeMs) {
      const since = performance.now() - maxAgeMs
      while (!last || successfulReadAt < since) {
        reading ??= refreshWithTimeout()
        // `unlimitedReading` reports the same failure.
        reading.catch(() => {})
        await unlimitedReading
      }
      return last.value
    },
    expire() {
      readAt = Number.NEGATIVE_INFINITY
      successfulReadAt = Number.NEGATIVE_INFINITY
      // A read in progress may have missed the change.
      latest += 1
      reading = undefined
    },
  }
}
