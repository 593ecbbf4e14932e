// What has gone wrong on this node lately, told as the log tells it: kinds and codes, nobody's data.
export interface RecentFailure {
  message: string
  /** Name and code of the error. */
  error: string
  route: string | undefined
  times: number
  lastAt: Date
}

interface Noted {
  message: string
  route: string | undefined
  type?: unknown
  code?: unknown
}

export interface RecentFailures {
  note(failure: Noted): void
  /** The latest first. */
  list(): RecentFailure[]
}

const mostKept = 20

export function createRecentFailures(): RecentFailures {
  const kept = new Map<string, RecentFailure>()
  return {
    note({ message, route, type, code }) {
      const error = [type === 'undefined' ? undefined : type, code].filter(Boolean).join(' ')
      // The same again and again, as while the database is away, must not push the others out.
      const key = [message, error, route].join('\n')
      const times = (kept.get(key)?.times ?? 0) + 1
      kept.delete(key)
      kept.set(key, { message, error, route, times, lastAt: new Date() })
      const [oldest] = kept.keys()
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
    },
    list: () => [...kept.values()].reverse(),
  }
}
