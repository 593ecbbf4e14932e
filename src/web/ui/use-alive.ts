// Whether the page answers by itself yet. Controls that need scripts appear only then, so that none is ever dead.
import { type RefObject, useLayoutEffect, useSyncExternalStore } from 'react'

const never = () => () => {}

export function useAlive(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

/** Leads eyes and ears to what a press has brought. A page that the server sent like this is not taken out of anybody's hands. */
export function useArrivalFocus(place: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (document.documentElement.dataset.viva) place.current?.focus()
  }, [place])
}
