// A button that is pressed and then gone takes the focus with it: what stands in its place gets it.
import { type RefObject, useLayoutEffect, useRef } from 'react'

/** For what is there once `state` is another. Who has gone on to something else is left there. */
export function useSuccessor(state: unknown): RefObject<HTMLButtonElement | null> {
  const element = useRef<HTMLButtonElement>(null)
  const before = useRef(state)
  useLayoutEffect(() => {
    if (before.current === state) return
    before.current = state
    if (document.activeElement === document.body) element.current?.focus()
  }, [state])
  return element
}
