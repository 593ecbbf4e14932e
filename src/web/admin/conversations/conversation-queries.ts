// Queries of the conversations. Those marked as background do not count as user activity.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  listConversations,
  listMessages,
  readConversation,
  readConversationStats,
  readWebhookHint,
} from '#contract/admin/conversations.ts'
import { callAdmin, type Query } from '#web/admin/api/client.ts'

const pollMs = 10_000

/** Beginnings of keys, to find several queries. */
export const conversationKeys = {
  all: ['conversas'],
  lists: ['conversas', 'lista'],
  latestLists: ['conversas', 'agora'],
  one: (id: string) => ['conversas', id],
}

/** A page that does not change while it is read. */
export const conversationListQuery = (query: Query) =>
  queryOptions({
    queryKey: [...conversationKeys.lists, query],
    queryFn: () => callAdmin(listConversations, { query }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })

/** The same page as it is now. */
export const latestListQuery = (query: Query) =>
  queryOptions({
    queryKey: [...conversationKeys.latestLists, query],
    queryFn: () => callAdmin(listConversations, { query, background: true }),
    refetchInterval: pollMs,
  })

export const conversationQuery = (id: string) =>
  queryOptions({
    queryKey: conversationKeys.one(id),
    // Refetched whenever a message arrives, so it is no user activity; the first call for the messages is.
    queryFn: () => callAdmin(readConversation, { params: { id }, background: true }),
  })

export const messagesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...conversationKeys.one(id), 'mensagens'],
    queryFn: ({ pageParam }) => callAdmin(listMessages, { params: { id }, query: { antes: pageParam } }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ mensagens, anteriores }) => (anteriores ? mensagens.at(-1)?.id : undefined),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const latestMessagesQuery = (id: string) =>
  queryOptions({
    queryKey: [...conversationKeys.one(id), 'agora'],
    queryFn: () => callAdmin(listMessages, { params: { id }, background: true }),
    refetchInterval: pollMs,
  })

export const conversationStatsQuery = queryOptions({
  queryKey: [...conversationKeys.all, 'numeros'],
  queryFn: () => callAdmin(readConversationStats, { background: true }),
  refetchInterval: 30_000,
})

export const webhookHintQuery = queryOptions({
  queryKey: [...conversationKeys.all, 'webhook'],
  queryFn: () => callAdmin(readWebhookHint, { background: true }),
  staleTime: Number.POSITIVE_INFINITY,
})
