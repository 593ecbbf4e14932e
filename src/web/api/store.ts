// Query cache: filled on the server, passed to the browser and refreshed there. One request per query at a time.
import { createContext, useContext, useEffect, useSyncExternalStore } from 'react'
import { type Endpoint, fillPath, type PathParams, type ReplyOf } from '#contract/endpoint.ts'
import type { ApiFetch } from '#contract/page.ts'
import { call } from '#web/api/client.ts'

export interface Query<E extends Endpoint = Endpoint> {
  endpoint: E
  params?: PathParams
  /** Age from which a mounted component reads again; 0 means always. */
  staleMs: number
  /** Retries of a failed request. The server does not retry while it renders a page. */
  retries?: number
}

interface QueryResult<T> {
  data?: T
  /** The last attempt failed; `data` is from an earlier one. */
  error?: unknown
  /** From `performance.now()`, which never goes back. */
  readAt: number
}

/** Data by query key. Without the time of reading: the clocks of browser and server differ. */
export type StoreState = Record<string, unknown>

export interface Store {
  peek<E extends Endpoint>(query: Query<E>): QueryResult<ReplyOf<E>> | undefined
  read<E extends Endpoint>(query: Query<E>): Promise<QueryResult<ReplyOf<E>>>
  change<E extends Endpoint>(query: Query<E>, change: (current: ReplyOf<E>) => ReplyOf<E>): void
  subscribe(listener: () => void): () => void
  state(): StoreState
}

/** The delay doubles with every further retry. */
const firstRetryDelayMs = 1_000

const keyOf = ({ endpoint, params }: Query) => fillPath(endpoint.path, params)

export function createStore(fetchApi: ApiFetch, initial: StoreState = {}): Store {
  const results = new Map<string, QueryResult<unknown>>()
  for (const [key, data] of Object.entries(initial)) results.set(key, { data, readAt: performance.now() })
  const inFlight = new Map<string, Promise<QueryResult<unknown>>>()
  const listeners = new Set<() => void>()

  function setResult(key: string, result: QueryResult<unknown>): QueryResult<unknown> {
    results.set(key, result)
    for (const listener of listeners) listener()
    return result
  }

  async function fetchResult(query: Query, attempt = 0): Promise<QueryResult<unknown>> {
    const key = keyOf(query)
    try {
      const data = await call(fetchApi, query.endpoint, query.params ? { params: query.params } : {})
      return setResult(key, { data, readAt: performance.now() })
    } catch (error) {
      if (attempt < (query.retries ?? 0)) {
        await new Promise((resolve) => setTimeout(resolve, firstRetryDelayMs * 2 ** attempt))
        return fetchResult(query, attempt + 1)
      }
      return setResult(key, { ...results.get(key), error, readAt: performance.now() })
    }
  }

  return {
    peek: (query) => results.get(keyOf(query)) as never,
    read(query) {
      const key = keyOf(query)
      const pending = inFlight.get(key) ?? fetchResult(query).finally(() => inFlight.delete(key))
      inFlight.set(key, pending)
      return pending as never
    },
    change(query, change) {
      const current = this.peek(query)
      if (current?.data !== undefined) setResult(keyOf(query), { ...current, data: change(current.data) })
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    state: () => Object.fromEntries([...results].map(([key, { data }]) => [key, data])),
  }
}

export const StoreContext = createContext<Store | undefined>(undefined)

export function useStore(): Store {
  const store = useContext(StoreContext)
  if (!store) throw new Error('no store around this component')
  return store
}

/** The cached result of a query: read on mount if it is missing or stale, and updated with the store. */
export function useQuery<E extends Endpoint>(query: Query<E>): Partial<QueryResult<ReplyOf<E>>> {
  const store = useStore()
  const current = () => store.peek(query)
  const result = useSyncExternalStore(store.subscribe, current, current)
  const key = keyOf(query)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the query
  useEffect(() => {
    const cached = store.peek(query)
    if (!cached || performance.now() - cached.readAt >= query.staleMs) void store.read(query)
  }, [key])

  return result ?? {}
}
