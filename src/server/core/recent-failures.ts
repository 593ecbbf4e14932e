// Recent failures of this node: names and codes of errors, without personal data.
export interface RecentFailure {
  message: string
  /** Name and code of the error. */
  error: string
  route: string | undefined
  times: number
  lastAt: Date
}

interface Failure {
  message: string
  route: string | undefined
  type?: unknown
  code?: unknown
}

interface RecentFailures {
  record(failure: Failure): void
  /** Newest first. */
  list(): RecentFailure[]
}

const maxKept = 20

export function createRecentFailures(): RecentFailures {
  const kept = new Map<string, RecentFailure>()
  return {
    record({ message, route, type, code }) {
      const error = [type === 'undefined' ? undefined : type, code].filter(Boolean).join(' ')
      // Repeated failures, as during a database outage, must not displace others: they share one entry.
      const key = [message, error, route].join('\n')
      const times = (kept.get(key)?.times ?? 0) + 1
      kept.delete(key)
      kept.set(key, { message, error, route, times, lastAt: new Date() })
      const [oldest] = kept.keys()
      if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
    },
    list: () => [...kept.values()].reverse(),
  }
}
