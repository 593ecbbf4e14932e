// Whether the page answers by itself yet. Controls that need scripts appear only then, so that none is ever dead.
import { useSyncExternalStore } from 'react'

const never = () => () => {}

export function useAlive(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
