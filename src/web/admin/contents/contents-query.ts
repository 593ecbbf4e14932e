// The contents as this page knows them, and every change to them: what the server answered is shown without asking again.
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
import { callAdmin, sentenceOf, wasGone } from '#web/admin/api.ts'
import { showToast } from '#web/admin/ui/toast.ts'
import { ApiFailure } from '#web/api/client.ts'

const { contents: sentences } = adminMessages
const queryKey = ['conteudos']

export function useContents() {
  return useQuery({ queryKey, queryFn: async () => (await callAdmin(listManagedContents)).contents })
}

export function useContentsChanges() {
  const queries = useQueryClient()
  const change = (next: (contents: ManagedContent[]) => ManagedContent[]) =>
    queries.setQueryData<ManagedContent[]>(queryKey, (contents) => next(contents ?? []))
  const askAgain = () => queries.invalidateQueries({ queryKey })
  const changes = { change, askAgain, queries }
  const saved = (content: ManagedContent) => {
    change((contents) => {
      const isListed = contents.some(({ id }) => id === content.id)
      return isListed ? contents.map((each) => (each.id === content.id ? content : each)) : [content, ...contents]
    })
    return askAgain()
  }
  return { askAgain, saved, show: useShow(changes), reorder: useReorder(changes), remove: useRemove(changes) }
}

interface Changes {
  change(next: (contents: ManagedContent[]) => ManagedContent[]): void
  askAgain(): Promise<void>
  queries: QueryClient
}

function useShow({ change, askAgain }: Changes) {
  return useMutation({
    mutationFn: ({ id, isActive }: Pick<ManagedContent, 'id' | 'isActive'>) =>
      callAdmin(showContent, { params: { id: String(id) }, body: { isActive } }),
    onSuccess({ content, message }) {
      change((contents) => contents.map((each) => (each.id === content.id ? content : each)))
      told(message)
    },
    onError(error) {
      failed(sentenceOf(error, sentences.stateFailed, sentences.connection))
      void askAgain()
    },
  })
}

/**
 * Moves are shown at once and sent one after the other; the first that is refused shows the list as it is, or as it
 * was last known to be.
 */
function useReorder({ change, askAgain, queries }: Changes) {
  const mutationKey = ['conteudos', 'ordem']
  const stored = useRef<number[]>([])
  const sending = useMutation({
    mutationKey,
    scope: { id: 'conteudos' },
    mutationFn: (order: { ids: number[]; antes: number[] }) => callAdmin(reorderContents, { body: order }),
    onSuccess({ contents }) {
      stored.current = numbersOf(contents)
      if (queries.isMutating({ mutationKey }) <= 1) change(() => contents)
    },
    onError(error) {
      failed(sentenceOf(error, sentences.reorderFailed, sentences.connection))
      change((contents) => inOrder(contents, stored.current))
      return askAgain()
    },
  })
  return {
    problem: sending.error ? sentenceOf(sending.error, sentences.reorderFailed, sentences.connection) : '',
    /** Answers the list as it will be. What is drawn may be a press behind, so the move starts from what is known. */
    move(next: (contents: ManagedContent[]) => ManagedContent[]): ManagedContent[] {
      const before = queries.getQueryData<ManagedContent[]>(queryKey) ?? []
      const after = next(before)
      if (after === before) return before
      if (queries.isMutating({ mutationKey }) === 0) stored.current = numbersOf(before)
      // A list that is on its way does not know of this move.
      void queries.cancelQueries({ queryKey }).then(() => change(() => after))
      change(() => after)
      sending.mutate({ ids: numbersOf(after), antes: numbersOf(before) })
      return after
    },
  }
}

const numbersOf = (contents: ManagedContent[]) => contents.map(({ id }) => id)

/** What is new to the order comes first, as it does when it is published. */
function inOrder(contents: ManagedContent[], order: number[]): ManagedContent[] {
  return [...contents].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
}

function useRemove({ change, askAgain }: Changes) {
  return useMutation({
    mutationFn: ({ id }: Pick<ManagedContent, 'id'>) => callAdmin(removeContent, { params: { id: String(id) } }),
    onSuccess({ message }, { id }) {
      change((contents) => contents.filter((each) => each.id !== id))
      told(message)
    },
    onError(error) {
      // Not waited for: who asked is told at once.
      if (wasGone(error)) void askAgain()
    },
  })
}

/** One sentence whatever the server's is, as specified; that somebody else was quicker is said. */
export function removalProblem(error: unknown): string {
  if (!(error instanceof ApiFailure)) return sentences.connection
  return wasGone(error) ? sentences.gone : sentences.removeFailed
}

export const told = (text: string) => showToast({ title: messages.toast.success, text, tone: 'success' })
const failed = (text: string) => showToast({ title: messages.toast.error, text, tone: 'error' })
