// The messages of a conversation: the newest page, older ones on request, and what is said while somebody reads.
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type ConversationMessage, listMessages } from '#contract/admin/conversations.ts'
import { callAdmin } from '#web/admin/api.ts'

const pollMs = 10_000

export function useMessages(id: string) {
  const client = useQueryClient()
  const history = useInfiniteQuery({
    queryKey: ['conversas', id, 'mensagens'],
    queryFn: ({ pageParam }) => callAdmin(listMessages, { params: { id }, query: { antes: pageParam } }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ mensagens, anteriores }) => (anteriores ? mensagens.at(-1)?.id : undefined),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const latest = useQuery({
    queryKey: ['conversas', id, 'agora'],
    queryFn: () => callAdmin(listMessages, { params: { id }, alone: true }),
    enabled: history.data !== undefined,
    refetchInterval: pollMs,
  })

  const read = history.data?.pages.flatMap(({ mensagens }) => mensagens) ?? []
  const arrived = latest.data?.mensagens ?? []
  const known = new Set(read.map(({ id }) => id))
  const messages = inOrder([...read, ...arrived])
  const unread = arrived.find(({ id }) => !known.has(id))?.id

  // A message may change who the person says to be, or where the conversation stands.
  useEffect(() => {
    if (unread !== undefined) void client.invalidateQueries({ queryKey: ['conversas', id], exact: true })
  }, [client, id, unread])

  // So much was said since that the newest page does not reach what was read before.
  const isBroken = latest.data?.anteriores === true && read.length > 0 && !arrived.some(({ id }) => known.has(id))
  const { refetch } = history
  useEffect(() => {
    if (isBroken) void refetch()
  }, [isBroken, refetch])

  return { history, messages }
}

/** Each once, by the time when it was said. */
function inOrder(all: ConversationMessage[]): ConversationMessage[] {
  const once = [...new Map(all.map((message) => [message.id, message])).values()]
  return once.sort((one, other) => one.quando.localeCompare(other.quando) || one.id - other.id)
}
