// One page of conversations that stays as it is while somebody reads it. What arrives meanwhile is told, and shown on request.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { listConversations } from '#contract/admin/conversations.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { callAdmin } from '#web/admin/api.ts'

const pageSize = 20
const pollMs = 10_000

export interface ListFilter {
  status: string
  busca: string
  antes: string
  depois: string
}

type Listed = ReplyOf<typeof listConversations>

export function useConversationList(filter: ListFilter) {
  const client = useQueryClient()
  const key = ['conversas', 'lista', filter]
  const query = { limite: pageSize, ...filter }
  const isFirst = !filter.antes && !filter.depois
  const shown = useQuery({
    queryKey: key,
    queryFn: () => callAdmin(listConversations, { query }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
  const latest = useQuery({
    queryKey: ['conversas', 'agora', filter],
    queryFn: () => callAdmin(listConversations, { query, alone: true }),
    enabled: shown.data !== undefined && !shown.isPlaceholderData && isFirst,
    refetchInterval: pollMs,
  })
  // What was read before the list itself knows less than it.
  const isLater = !shown.isPlaceholderData && latest.dataUpdatedAt >= shown.dataUpdatedAt
  const later = isLater ? latest.data : undefined

  return {
    shown,
    ...merge(shown.data, later),
    showNew() {
      if (!later) return
      client.setQueryData(key, later)
      // What has come on top has pushed others down to pages that were read before.
      client.removeQueries({ queryKey: ['conversas', 'lista'], type: 'inactive' })
    },
  }
}

/** The same conversations in the same order, with the newest that is known of each, and how many are new to the reader. */
function merge(shown: Listed | undefined, latest: Listed | undefined): { list: Listed | undefined; news: number } {
  if (!shown || !latest) return { list: shown, news: 0 }
  // Where there is nothing to read, nothing can be moved.
  if (shown.conversas.length === 0) return { list: latest, news: 0 }
  const fresh = new Map(latest.conversas.map((conversation) => [conversation.id, conversation]))
  const read = new Map(shown.conversas.map((conversation) => [conversation.id, conversation]))
  const isNew = ({ id, ultimaEm }: Listed['conversas'][number]) => ultimaEm > (read.get(id)?.ultimaEm ?? '')
  const news = latest.conversas.filter(isNew).length
  return { list: { ...shown, conversas: shown.conversas.map((each) => fresh.get(each.id) ?? each) }, news }
}
