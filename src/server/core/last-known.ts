// A value read at most once per period, one read at a time; when reading fails, the last value known is still served.
export interface LastKnown<T> {
  get(): Promise<T>
  /** What was last read, however old. */
  peek(): T | undefined
  forget(): void
}

export function lastKnown<T>(
  read: () => Promise<T>,
  periodMs: number,
  onFailure: (error: unknown) => void,
): LastKnown<T> {
  let value: { known: T } | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<T> | undefined

  async function refresh(): Promise<T> {
    // Counted from the start of the read: what was committed during it may be missing from the answer.
    const startedAt = performance.now()
    try {
      const known = await read()
      value = { known }
      readAt = startedAt
      return known
    } catch (error) {
      if (!value) throw error
      onFailure(error)
      readAt = performance.now()
      return value.known
    } finally {
      reading = undefined
    }
  }

  return {
    async get() {
      if (value && performance.now() - readAt < periodMs) return value.known
      reading ??= refresh()
      return reading
    },
    peek: () => value?.known,
    forget() {
      readAt = Number.NEGATIVE_INFINITY
    },
  }
}
