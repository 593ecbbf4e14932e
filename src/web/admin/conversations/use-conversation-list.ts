// A page of conversations that does not move while it is read. New activity is counted, and displayed on request.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { listConversations } from '#contract/admin/conversations.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import {
  conversationKeys,
  conversationListQuery,
  latestListQuery,
} from '#web/admin/conversations/conversation-queries.ts'

const pageSize = 20

interface ListFilter {
  status: string
  busca: string
  antes: string
  depois: string
}

type ConversationList = ReplyOf<typeof listConversations>

export function useConversationList(filter: ListFilter) {
  const client = useQueryClient()
  const query = { limite: pageSize, ...filter }
  const isFirstPage = !filter.antes && !filter.depois
  const pageQuery = useQuery(conversationListQuery(query))
  const latestQuery = useQuery({
    ...latestListQuery(query),
    enabled: pageQuery.data !== undefined && !pageQuery.isPlaceholderData && isFirstPage,
  })
  // A poll that is older than the displayed list is outdated.
  const isNewer = !pageQuery.isPlaceholderData && latestQuery.dataUpdatedAt >= pageQuery.dataUpdatedAt
  const newer = isNewer ? latestQuery.data : undefined

  return {
    pageQuery,
    ...merge(pageQuery.data, newer),
    showNew() {
      if (!newer) return
      client.setQueryData(conversationListQuery(query).queryKey, newer)
      // The new entries push others down to the next pages, so cached pages are outdated.
      client.removeQueries({ queryKey: conversationKeys.lists, type: 'inactive' })
    },
  }
}

/** Keeps the displayed order, with the latest data of each conversation, and counts those with new activity. */
function merge(
  displayed: ConversationList | undefined,
  latest: ConversationList | undefined,
): { list: ConversationList | undefined; newCount: number } {
  if (!displayed || !latest) return { list: displayed, newCount: 0 }
  // An empty list can be replaced: nothing moves.
  if (displayed.conversas.length === 0) return { list: latest, newCount: 0 }
  const latestById = new Map(latest.conversas.map((conversation) => [conversation.id, conversation]))
  const displayedById = new Map(displayed.conversas.map((conversation) => [conversation.id, conversation]))
  const isNew = ({ id, ultimaEm }: ConversationList['conversas'][number]) =>
    ultimaEm > (displayedById.get(id)?.ultimaEm ?? '')
  const newCount = latest.conversas.filter(isNew).length
  return {
    list: { ...displayed, conversas: displayed.conversas.map((each) => latestById.get(each.id) ?? each) },
    newCount,
  }
}
