// A value read at most once per period, one read at a time. When reading fails or takes too long, the last value known is served.
export interface LastKnown<T> {
  /** Read no longer ago than the period, or than is said here. */
  get(maxAgeMs?: number): Promise<T>
  /** The same, if it is there without waiting. */
  known(): T | undefined
  /** Certainly read no longer ago than said here, however long that takes; fails when reading fails. */
  fresh(maxAgeMs: number): Promise<T>
  /** What is asked for from now on is read anew; if that fails, the last value still serves. */
  expire(): void
}

export interface LastKnownOptions {
  periodMs: number
  /** How long somebody who could have the last value waits for a newer one. */
  patienceMs?: number
  onFailure(error: unknown): void
  /** Whether a failure says that the last value is no longer true, rather than that nothing can be said. */
  isFinal?(error: unknown): boolean
}

export function lastKnown<T>(read: () => Promise<T>, options: LastKnownOptions): LastKnown<T> {
  const { periodMs, patienceMs = 300, onFailure, isFinal } = options
  let last: { value: T } | undefined
  /** When it was read, or counts as read. */
  let readAt = Number.NEGATIVE_INFINITY
  let trulyReadAt = Number.NEGATIVE_INFINITY
  let reading: Promise<T> | undefined
  /** The same reading without an end to the patience. */
  let wholeReading: Promise<T> | undefined
  /** Readings that began before this one are not believed when they end after it. */
  let latest = 0

  async function refresh(): Promise<T> {
    const mine = ++latest
    // Counted from the start of the read: what was committed during it may be missing from the answer.
    const startedAt = performance.now()
    try {
      wholeReading = read()
      const value = await wholeReading
      if (mine === latest) {
        last = { value }
        readAt = startedAt
        trulyReadAt = startedAt
      }
      return value
    } catch (error) {
      if (mine === latest && isFinal?.(error)) last = undefined
      if (!last) throw error
      onFailure(error)
      if (mine === latest) readAt = performance.now()
      return last.value
    } finally {
      if (mine === latest) reading = undefined
    }
  }

  function refreshOrGiveUp(): Promise<T> {
    const fresh = refresh()
    const mine = latest
    const known = last
    if (!known) return fresh
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        // A database that hangs is not asked again by everybody: the value counts as read for another period.
        if (mine === latest) readAt = performance.now()
        resolve(known.value)
      }, patienceMs)
      fresh.then(resolve, reject).finally(() => clearTimeout(late))
    })
  }

  const known = (maxAgeMs: number) => (last && performance.now() - readAt < maxAgeMs ? last : undefined)

  return {
    known: () => known(periodMs)?.value,
    async get(maxAgeMs = periodMs) {
      const read = known(maxAgeMs)
      if (read) return read.value
      reading ??= refreshOrGiveUp()
      return reading
    },
    async fresh(maxAgeMs) {
      const since = performance.now() - maxAgeMs
      while (!last || trulyReadAt < since) {
        reading ??= refreshOrGiveUp()
        // What it fails with is told by the whole of it.
        reading.catch(() => {})
        await wholeReading
      }
      return last.value
    },
    expire() {
      readAt = Number.NEGATIVE_INFINITY
      trulyReadAt = Number.NEGATIVE_INFINITY
      // A reading under way may have missed what happened.
      latest += 1
      reading = undefined
    },
  }
}
