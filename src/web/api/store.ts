// What pages have read: filled on the server, handed to the browser, read again there when a page asks. One request per call at a time.
import { createContext, useContext, useEffect, useSyncExternalStore } from 'react'
import { type Endpoint, fillPath, type PathParams, type ReplyOf } from '#contract/endpoint.ts'
import type { ApiFetch } from '#contract/page.ts'
import { call } from '#web/api/client.ts'

export interface Query<E extends Endpoint = Endpoint> {
  endpoint: E
  params?: PathParams
  /** Age after which a page that appears reads again; 0 is always. */
  staleMs: number
  /** How often a failed reading is tried again. A server that draws a page does not wait for that. */
  retries?: number
}

export interface Reading<T> {
  data?: T
  /** The last try failed; `data` is what was known before. */
  error?: unknown
  /** By the page's own clock, which nobody sets back. */
  readAt: number
}

/** What was read, by call. When is left out: the browser's clock is not the server's. */
export type StoreState = Record<string, unknown>

export interface Store {
  peek<E extends Endpoint>(query: Query<E>): Reading<ReplyOf<E>> | undefined
  read<E extends Endpoint>(query: Query<E>): Promise<Reading<ReplyOf<E>>>
  change<E extends Endpoint>(query: Query<E>, change: (known: ReplyOf<E>) => ReplyOf<E>): void
  subscribe(listener: () => void): () => void
  state(): StoreState
}

/** Before the first retry; each further one waits twice as long as the one before. */
const firstPauseMs = 1_000

const keyOf = ({ endpoint, params }: Query) => fillPath(endpoint.path, params)

export function createStore(fetchApi: ApiFetch, initial: StoreState = {}): Store {
  const readings = new Map<string, Reading<unknown>>()
  for (const [key, data] of Object.entries(initial)) readings.set(key, { data, readAt: performance.now() })
  const underWay = new Map<string, Promise<Reading<unknown>>>()
  const listeners = new Set<() => void>()

  function keep(key: string, reading: Reading<unknown>): Reading<unknown> {
    readings.set(key, reading)
    for (const listener of listeners) listener()
    return reading
  }

  async function fetchReading(query: Query, tried = 0): Promise<Reading<unknown>> {
    const key = keyOf(query)
    try {
      const data = await call(fetchApi, query.endpoint, query.params ? { params: query.params } : {})
      return keep(key, { data, readAt: performance.now() })
    } catch (error) {
      if (tried < (query.retries ?? 0)) {
        await new Promise((resolve) => setTimeout(resolve, firstPauseMs * 2 ** tried))
        return fetchReading(query, tried + 1)
      }
      return keep(key, { ...readings.get(key), error, readAt: performance.now() })
    }
  }

  return {
    peek: (query) => readings.get(keyOf(query)) as never,
    read(query) {
      const key = keyOf(query)
      const reading = underWay.get(key) ?? fetchReading(query).finally(() => underWay.delete(key))
      underWay.set(key, reading)
      return reading as never
    },
    change(query, change) {
      const known = this.peek(query)
      if (known?.data !== undefined) keep(keyOf(query), { ...known, data: change(known.data) })
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    state: () => Object.fromEntries([...readings].map(([key, { data }]) => [key, data])),
  }
}

export const StoreContext = createContext<Store | undefined>(undefined)

export function useStore(): Store {
  const store = useContext(StoreContext)
  if (!store) throw new Error('no store around this component')
  return store
}

/** What is known about a call, kept up to date while the component is there. */
export function useQuery<E extends Endpoint>(query: Query<E>): Partial<Reading<ReplyOf<E>>> {
  const store = useStore()
  const current = () => store.peek(query)
  const reading = useSyncExternalStore(store.subscribe, current, current)
  const key = keyOf(query)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a query is its key; the object is new at every render
  useEffect(() => {
    const known = store.peek(query)
    if (!known || performance.now() - known.readAt >= query.staleMs) void store.read(query)
  }, [key])

  return reading ?? {}
}
