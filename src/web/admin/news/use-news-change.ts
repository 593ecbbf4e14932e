// Changes of one news item by a press of a button.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { StoredNews } from '#contract/admin/news.ts'
import { messages } from '#contract/messages.ts'
import { errorMessage } from '#web/admin/api/client.ts'
import { refreshNews, updateCachedNews } from '#web/admin/news/news-queries.ts'
import { showToast } from '#web/admin/ui/toast.ts'
import { ApiFailure } from '#web/api/client.ts'

interface Reply {
  message: string
  /** Absent: the news item is read again. */
  novidade?: StoredNews
}

export const newsFailed = 'Não foi possível fazer isso agora. Tente de novo.'

interface ChangeOptions {
  /** The result is visible on the page: no toast. */
  isQuiet?: boolean
}

/** A change of one news item that is not an edit of its form. The result is shown as a toast, a failure by the caller. */
export function useNewsChange<Values = void>(
  id: number,
  send: (values: Values) => Promise<Reply>,
  { isQuiet = false }: ChangeOptions = {},
) {
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: send,
    async onSuccess({ message, novidade }) {
      if (!isQuiet) showToast({ title: messages.toast.success, text: message, tone: 'success' })
      if (novidade) updateCachedNews(queries, novidade)
      else await refreshNews(queries, id)
    },
    onError(error) {
      // The news item is no longer as it is displayed.
      if (error instanceof ApiFailure && error.statusCode === 409) void refreshNews(queries, id)
    },
  })
  return { change, problem: change.error ? errorMessage(change.error, newsFailed) : '' }
}
