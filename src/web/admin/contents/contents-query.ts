// Query and changes of the contents. Replies of the server are displayed at once, before any refetch.
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import {
  listManagedContents,
  type ManagedContent,
  removeContent,
  reorderContents,
  showContent,
} from '#contract/admin/contents.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { messages } from '#contract/messages.ts'
import { callAdmin, errorMessage, isNotFound } from '#web/admin/api/client.ts'
import { showToast } from '#web/admin/ui/toast.ts'
import { ApiFailure } from '#web/api/client.ts'

const { contents: texts } = adminMessages
const queryKey = ['conteudos']

export function useContents() {
  return useQuery({ queryKey, queryFn: async () => (await callAdmin(listManagedContents)).contents })
}

export function useContentsChanges() {
  const queries = useQueryClient()
  const change = (next: (contents: ManagedContent[]) => ManagedContent[]) =>
    queries.setQueryData<ManagedContent[]>(queryKey, (contents) => next(contents ?? []))
  const refresh = () => queries.invalidateQueries({ queryKey })
  const changes = { change, refresh, queries }
  const updateCached = (content: ManagedContent) => {
    change((contents) => {
      const isListed = contents.some(({ id }) => id === content.id)
      return isListed ? contents.map((each) => (each.id === content.id ? content : each)) : [content, ...contents]
    })
    return refresh()
  }
  return { refresh, updateCached, show: useShow(changes), reorder: useReorder(changes), remove: useRemove(changes) }
}

interface Changes {
  change(next: (contents: ManagedContent[]) => ManagedContent[]): void
  refresh(): Promise<void>
  queries: QueryClient
}

function useShow({ change, refresh }: Changes) {
  return useMutation({
    mutationFn: ({ id, isActive }: Pick<ManagedContent, 'id' | 'isActive'>) =>
      callAdmin(showContent, { params: { id: String(id) }, body: { isActive } }),
    onSuccess({ content, message }) {
      change((contents) => contents.map((each) => (each.id === content.id ? content : each)))
      showSuccess(message)
    },
    onError(error) {
      showFailure(errorMessage(error, texts.stateFailed, texts.connection))
      void refresh()
    },
  })
}

/**
 * Moves are displayed at once and sent one after another. The first refusal restores the stored order, as far as it is
 * known, and refetches the list.
 */
function useReorder({ change, refresh, queries }: Changes) {
  const mutationKey = ['conteudos', 'ordem']
  const stored = useRef<number[]>([])
  const sending = useMutation({
    mutationKey,
    scope: { id: 'conteudos' },
    mutationFn: (order: { ids: number[]; antes: number[] }) => callAdmin(reorderContents, { body: order }),
    onSuccess({ contents }) {
      stored.current = idsOf(contents)
      if (queries.isMutating({ mutationKey }) <= 1) change(() => contents)
    },
    onError(error) {
      showFailure(errorMessage(error, texts.reorderFailed, texts.connection))
      change((contents) => sortByIds(contents, stored.current))
      return refresh()
    },
  })
  return {
    problem: sending.error ? errorMessage(sending.error, texts.reorderFailed, texts.connection) : '',
    /** Returns the new list. Starts from the cache, because the rendered list may be one click behind. */
    move(next: (contents: ManagedContent[]) => ManagedContent[]): ManagedContent[] {
      const before = queries.getQueryData<ManagedContent[]>(queryKey) ?? []
      const after = next(before)
      if (after === before) return before
      if (queries.isMutating({ mutationKey }) === 0) stored.current = idsOf(before)
      // A list response in flight does not contain this move.
      void queries.cancelQueries({ queryKey }).then(() => change(() => after))
      change(() => after)
      sending.mutate({ ids: idsOf(after), antes: idsOf(before) })
      return after
    },
  }
}

const idsOf = (contents: ManagedContent[]) => contents.map(({ id }) => id)

/** Contents that are not in the order come first, as new ones do. */
function sortByIds(contents: ManagedContent[], order: number[]): ManagedContent[] {
  return [...contents].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
}

function useRemove({ change, refresh }: Changes) {
  return useMutation({
    mutationFn: ({ id }: Pick<ManagedContent, 'id'>) => callAdmin(removeContent, { params: { id: String(id) } }),
    onSuccess({ message }, { id }) {
      change((contents) => contents.filter((each) => each.id !== id))
      showSuccess(message)
    },
    onError(error) {
      // Not awaited: the user sees the error at once.
      if (isNotFound(error)) void refresh()
    },
  })
}

/** The specification requires one text for all errors, except that a content deleted by others is reported as such. */
export function removalProblem(error: unknown): string {
  if (!(error instanceof ApiFailure)) return texts.connection
  return isNotFound(error) ? texts.gone : texts.removeFailed
}

export const showSuccess = (text: string) => showToast({ title: messages.toast.success, text, tone: 'success' })
const showFailure = (text: string) => showToast({ title: messages.toast.error, text, tone: 'error' })
