// A value read at most once per period, one read at a time. When reading fails or takes too long, the last value known is served.
export interface LastKnown<T> {
  get(): Promise<T>
  /** What is known is old from now on, and so is what is being read at this moment. */
  expire(): void
}

export interface LastKnownOptions {
  periodMs: number
  /** How long somebody who could have the last value waits for a newer one. */
  patienceMs?: number
  onFailure(error: unknown): void
}

export function lastKnown<T>(read: () => Promise<T>, options: LastKnownOptions): LastKnown<T> {
  const { periodMs, patienceMs = 300, onFailure } = options
  let last: { value: T } | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<T> | undefined
  let expiries = 0

  async function refresh(): Promise<T> {
    // Counted from the start of the read: what was committed during it may be missing from the answer.
    const startedAt = performance.now()
    const asOf = expiries
    const outdated = () => asOf !== expiries
    try {
      const value = await read()
      if (last && outdated()) return value
      last = { value }
      if (!outdated()) readAt = startedAt
      return value
    } catch (error) {
      if (!last) throw error
      onFailure(error)
      if (!outdated()) readAt = performance.now()
      return last.value
    } finally {
      if (!outdated()) reading = undefined
    }
  }

  function refreshOrGiveUp(): Promise<T> {
    const fresh = refresh()
    const known = last
    if (!known) return fresh
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        // A database that hangs is not asked again by everybody: the value counts as read for another period.
        readAt = performance.now()
        resolve(known.value)
      }, patienceMs)
      fresh.then(resolve, reject).finally(() => clearTimeout(late))
    })
  }

  return {
    async get() {
      if (last && performance.now() - readAt < periodMs) return last.value
      reading ??= refreshOrGiveUp()
      return reading
    },
    expire() {
      expiries += 1
      readAt = Number.NEGATIVE_INFINITY
      reading = undefined
    },
  }
}
