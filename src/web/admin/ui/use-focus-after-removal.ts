import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * A pressed button that disappears loses the focus. When `state` changes, the element with the returned ref takes it,
 * unless the user has focused something else.
 */
export function useFocusAfterRemoval<E extends HTMLElement = HTMLButtonElement>(state: unknown): RefObject<E | null> {
  const element = useRef<E>(null)
  const previous = useRef(state)
  useLayoutEffect(() => {
    if (previous.current === state) return
    previous.current = state
    if (document.activeElement === document.body) element.current?.focus()
  }, [state])
  return element
}
