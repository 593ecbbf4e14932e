import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Endpoint, PathParams, ReplyOf } from '#contract/endpoint.ts'
import { callAdmin, type Query } from '#web/admin/api/client.ts'

const pollMs = 30_000

interface PolledQueryOptions<E extends Endpoint> {
  params?: PathParams
  query?: Query
  /** Interval until the next poll while the reply is incomplete and the missing part is being computed. */
  nextPollMs?(reply: ReplyOf<E>): number | undefined
}

/** Only the first call counts as user activity: polling must not keep the session alive. */
export function usePolledQuery<E extends Endpoint>(
  endpoint: E,
  { params, query, nextPollMs }: PolledQueryOptions<E> = {},
) {
  const lastKey = useRef('')
  const key = JSON.stringify([endpoint.path, params, query])
  return useQuery<ReplyOf<E>>({
    queryKey: [endpoint.path, params, query],
    queryFn() {
      const background = lastKey.current === key
      lastKey.current = key
      return callAdmin(endpoint, { background, ...(params && { params }), ...(query && { query }) })
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data && nextPollMs?.(state.data)) || pollMs,
  })
}
