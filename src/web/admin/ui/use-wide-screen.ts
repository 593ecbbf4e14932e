import { useSyncExternalStore } from 'react'

/** Room for two columns. The breakpoint is the same as in the style sheets. */
const wideQuery = () => matchMedia('(min-width: 45rem)')

function subscribe(listener: () => void): () => void {
  const query = wideQuery()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

export function useWideScreen(): boolean {
  return useSyncExternalStore(subscribe, () => wideQuery().matches)
}
