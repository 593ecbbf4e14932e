// A query that stays fresh while somebody looks. Only its first call counts as use: what a page asks by itself keeps no session alive.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Endpoint, PathParams, ReplyOf } from '#contract/endpoint.ts'
import { callAdmin, type Query } from '#web/admin/api.ts'

const everyMs = 30_000

interface RefreshedOptions<E extends Endpoint> {
  params?: PathParams
  query?: Query
  /** What the answer lacks is on its way: ask again sooner. */
  soonerMs?(reply: ReplyOf<E>): number | undefined
}

export function useRefreshed<E extends Endpoint>(endpoint: E, { params, query, soonerMs }: RefreshedOptions<E> = {}) {
  const asked = useRef('')
  const key = JSON.stringify([endpoint.path, params, query])
  return useQuery<ReplyOf<E>>({
    queryKey: [endpoint.path, params, query],
    queryFn() {
      const alone = asked.current === key
      asked.current = key
      return callAdmin(endpoint, { alone, ...(params && { params }), ...(query && { query }) })
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data && soonerMs?.(state.data)) || everyMs,
  })
}
