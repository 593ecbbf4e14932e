// Queries of the news, and the update of their cache after a change.
import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  listAdminNews,
  listSegments,
  type NewsStatus,
  previewNews,
  readAdminNews,
  readSend,
  type SendProgress,
  type StoredNews,
} from '#contract/admin/news.ts'
import { callAdmin } from '#web/admin/api/client.ts'

const root = 'novidades'
const paramsOf = (id: number) => ({ id: String(id) })

interface Cursor {
  antes: string
  depois: string
}

/** Polling starts when the known reply is polled again; it must not keep the session alive. */
export const newsListQuery = (cursor: Cursor) =>
  queryOptions({
    queryKey: [root, 'lista', cursor],
    queryFn: ({ client, queryKey }) =>
      callAdmin(listAdminNews, { query: { ...cursor }, background: client.getQueryData(queryKey) !== undefined }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.novidades.some(({ status, envio }) => envio && isMoving(status, envio)) && listPollMs,
  })
const listPollMs = 10_000

/** When the schedule publishes the news item. Brasília time has no daylight saving. */
const dueTime = (minute: string | null | undefined) => (minute ? Date.parse(`${minute}:00-03:00`) : Number.NaN)
/** The server applies the schedule every few seconds. */
const appliedMs = 4_000
const retryMs = 10_000
/** Timers have an upper limit, and no session lasts longer. */
const longestWaitMs = 24 * 60 * 60_000

export const newsQuery = (id: number) =>
  queryOptions({
    queryKey: [root, id],
    queryFn: ({ client, queryKey }) => {
      const known = client.getQueryData<{ novidade: StoredNews }>(queryKey)
      const isPolling = dueTime(known?.novidade.agendadaPara) < Date.now()
      return callAdmin(readAdminNews, { params: paramsOf(id), background: isPolling })
    },
    refetchInterval({ state }) {
      const wait = dueTime(state.data?.novidade.agendadaPara) - Date.now()
      return wait < longestWaitMs && Math.max(wait + appliedMs, retryMs)
    },
    refetchIntervalInBackground: true,
  })

/** Recipients are being counted, or e-mails are being sent. */
export const isMoving = (status: NewsStatus, { status: sendStatus }: SendProgress) =>
  sendStatus === 'preparing' || sendStatus === 'sending' || (sendStatus === 'prepared' && status === 'published')

const countPollMs = 1_000
const sendPollMs = 2_000
/** Another administrator may resume. */
const pausedPollMs = 10_000

export const sendQuery = ({ id, status, envio }: Pick<StoredNews, 'id' | 'status' | 'envio'>) =>
  queryOptions({
    queryKey: [root, id, 'envio'],
    queryFn: ({ client, queryKey }) =>
      callAdmin(readSend, { params: paramsOf(id), background: client.getQueryData(queryKey) !== undefined }),
    initialData: { success: true, envio },
    staleTime: 0,
    // Not in the background: a hidden page does not poll.
    refetchInterval({ state }) {
      const current = state.data?.envio
      if (!current) return false
      if (current.status === 'paused') return pausedPollMs
      return isMoving(status, current) && (current.status === 'preparing' ? countPollMs : sendPollMs)
    },
  })

/** The e-mail and the text for WhatsApp of the stored revision. */
export const newsPreviewQuery = ({ id, revisao }: Pick<StoredNews, 'id' | 'revisao'>) =>
  queryOptions({
    queryKey: [root, id, 'previa', revisao],
    queryFn: () => callAdmin(previewNews, { params: paramsOf(id) }),
  })

/** All news items, the newest first, to choose one whose recipients are left out. */
export const earlierNewsQuery = infiniteQueryOptions({
  queryKey: [root, 'anteriores'],
  queryFn: ({ pageParam }) => callAdmin(listAdminNews, { query: { antes: pageParam } }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ antes }) => antes ?? undefined,
})

export const segmentsQuery = queryOptions({
  queryKey: [root, 'selecoes'],
  queryFn: () => callAdmin(listSegments),
})

const listKey = [root, 'lista']

/** Stores a changed news item in the cache. The list is refetched in the background. */
export function updateCachedNews(queries: QueryClient, novidade: StoredNews): void {
  queries.setQueryData(newsQuery(novidade.id).queryKey, { success: true, novidade })
  queries.setQueryData(sendQuery(novidade).queryKey, { success: true, envio: novidade.envio })
  void queries.invalidateQueries({ queryKey: listKey })
}

export async function refreshNews(queries: QueryClient, id: number): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: [root, id] }),
    queries.invalidateQueries({ queryKey: listKey }),
  ])
}

/** After deletion: nothing of the news item may be refetched. */
export function forgetNews(queries: QueryClient, id: number): void {
  queries.removeQueries({ queryKey: [root, id] })
  void queries.invalidateQueries({ queryKey: listKey })
}
