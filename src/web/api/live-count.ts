// A counter that follows the server while somebody looks: asks now and then, less often when the answer fails, never when hidden.
import { useEffect, useRef } from 'react'
import type { CountQuery } from '#web/api/petitions.ts'
import { useQuery, useStore } from '#web/api/store.ts'

const periodMs = 10_000
const longestMs = 300_000

export function useLiveCount(query: CountQuery): number | undefined {
  const store = useStore()
  const { data } = useQuery(query)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a page has one counter
  useEffect(() => {
    let waitMs = periodMs
    let timer: ReturnType<typeof setTimeout> | undefined
    let readAt = performance.now()
    let gone = false

    async function ask(): Promise<void> {
      readAt = performance.now()
      const { error } = await store.read(query)
      waitMs = error ? Math.min(waitMs * 2, longestMs) : periodMs
      follow()
    }

    function follow(): void {
      clearTimeout(timer)
      if (gone || document.visibilityState !== 'visible') return
      // Not all phones at the same moment.
      const spread = 0.9 + Math.random() * 0.2
      timer = setTimeout(() => void ask(), Math.max(0, readAt + waitMs * spread - performance.now()))
    }

    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      gone = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', follow)
    }
  }, [])

  // Nobody sees a number fall that they have seen rise: the server's is a second old, and another node's may be older.
  const highest = useRef(0)
  useEffect(() => {
    highest.current = Math.max(highest.current, data?.count ?? 0)
  }, [data])
  return data && Math.max(data.count, highest.current)
}
