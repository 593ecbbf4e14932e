// Polls the count while the page is visible; less often after failures.
import { useEffect, useRef } from 'react'
import type { CountingMode } from '#contract/campaigns.ts'
import { usePageContext } from '#web/api/page-context.ts'
import type { Count, CountQuery } from '#web/api/petitions.ts'
import { useQuery, useStore } from '#web/api/store.ts'

const periodMs = 10_000
const maxPeriodMs = 300_000

export function useLiveCount(query: CountQuery, countingMode: CountingMode = 'signed'): Count | undefined {
  const store = useStore()
  const { data } = useQuery(query)
  const { thanked } = usePageContext()

  // biome-ignore lint/correctness/useExhaustiveDependencies: a page has one counter
  useEffect(() => {
    let waitMs = periodMs
    let timer: ReturnType<typeof setTimeout> | undefined
    let readAt = performance.now()
    let unmounted = false

    async function poll(): Promise<void> {
      readAt = performance.now()
      const { error } = await store.read(query)
      waitMs = error ? Math.min(waitMs * 2, maxPeriodMs) : periodMs
      schedule()
    }

    function schedule(): void {
      clearTimeout(timer)
      if (unmounted || document.visibilityState !== 'visible') return
      // Spreads the requests, so that not all phones poll at the same time.
      const spread = 0.9 + Math.random() * 0.2
      timer = setTimeout(() => void poll(), Math.max(0, readAt + waitMs * spread - performance.now()))
    }

    schedule()
    document.addEventListener('visibilitychange', schedule)
    return () => {
      unmounted = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', schedule)
    }
  }, [])

  // The displayed count never decreases: a reply is up to a second old, one from another server process perhaps older.
  // The count that comes with the thank-you view of a plain form may be older than its signature.
  const highest = useRef(thanked && countingMode === 'signed' ? 1 : 0)
  useEffect(() => {
    highest.current = Math.max(highest.current, data?.count ?? 0)
  }, [data])
  return data && { ...data, count: Math.max(data.count, highest.current) }
}
