// Messages of a conversation: the newest page, older pages on request, and polling for new ones.
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ConversationMessage } from '#contract/admin/conversations.ts'
import { conversationKeys, latestMessagesQuery, messagesQuery } from '#web/admin/conversations/conversation-queries.ts'

export function useMessages(id: string) {
  const client = useQueryClient()
  const history = useInfiniteQuery(messagesQuery(id))
  const latest = useQuery({ ...latestMessagesQuery(id), enabled: history.data !== undefined })

  const loaded = history.data?.pages.flatMap(({ mensagens }) => mensagens) ?? []
  const polled = latest.data?.mensagens ?? []
  const loadedIds = new Set(loaded.map(({ id }) => id))
  const messages = sortUnique([...loaded, ...polled])
  const newId = polled.find(({ id }) => !loadedIds.has(id))?.id

  // A message may change the data of the person or the status of the conversation.
  useEffect(() => {
    if (newId !== undefined) void client.invalidateQueries({ queryKey: conversationKeys.one(id), exact: true })
  }, [client, id, newId])

  // More messages have arrived than the newest page holds, so it does not reach the loaded ones.
  const hasGap = latest.data?.anteriores === true && loaded.length > 0 && !polled.some(({ id }) => loadedIds.has(id))
  const { refetch } = history
  useEffect(() => {
    if (hasGap) void refetch()
  }, [hasGap, refetch])

  return { history, messages }
}

/** Without duplicates, sorted by time. */
function sortUnique(all: ConversationMessage[]): ConversationMessage[] {
  const unique = [...new Map(all.map((message) => [message.id, message])).values()]
  return unique.sort((one, other) => one.quando.localeCompare(other.quando) || one.id - other.id)
}
