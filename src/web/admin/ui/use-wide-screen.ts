// Whether there is room for two columns: the same width as in the style sheets.
import { useSyncExternalStore } from 'react'

const wide = () => matchMedia('(min-width: 45rem)')

function subscribe(listener: () => void): () => void {
  const query = wide()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

export function useWideScreen(): boolean {
  return useSyncExternalStore(subscribe, () => wide().matches)
}
