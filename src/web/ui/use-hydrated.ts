import { type RefObject, useLayoutEffect, useSyncExternalStore } from 'react'

const noSubscription = () => () => {}

/** Controls that need scripts are rendered only after hydration, so that every visible control works. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    noSubscription,
    () => true,
    () => false,
  )
}

/** Focuses content that appears after a user action. If the server sent the page in this state, the focus stays. */
export function useFocusOnMount(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (document.documentElement.dataset.viva) element.current?.focus()
  }, [element])
}
