import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * A pressed button that disappears loses the focus. When `state` changes, the element with the returned ref takes it,
 * unless the user has focused something else.
 */
export function useFocusAfterRemoval(state: unknown): RefObject<HTMLButtonElement | null> {
  const element = useRef<HTMLButtonElement>(null)
  const previous = useRef(state)
  useLayoutEffect(() => {
    if (previous.current === state) return
    previous.current = state
    if (document.activeElement === document.body) element.current?.focus()
  }, [state])
  return element
}
