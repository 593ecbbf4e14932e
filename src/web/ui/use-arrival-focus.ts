// Leads eyes and ears to what a press has brought. A page that the server sent like this is not taken out of anybody's hands.
import { type RefObject, useEffect } from 'react'

export function useArrivalFocus(place: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (document.documentElement.dataset.viva) place.current?.focus()
  }, [place])
}
