// Whether somebody is in: the token that the browser keeps, and who must know when it is gone.
import { useSyncExternalStore } from 'react'

const key = 'admin_token'
type Listener = () => void

const changed = new Set<Listener>()
const expiring = new Set<Listener>()
const leaving = new Set<Listener>()
let endedByItself = false

const tell = (listeners: Set<Listener>) => {
  for (const listen of [...listeners]) listen()
}

function subscribeTo(listeners: Set<Listener>) {
  return (listen: Listener): Listener => {
    listeners.add(listen)
    return () => listeners.delete(listen)
  }
}

/** Who types something is asked to put it away before the login takes the page's place. */
export const onExpiry = subscribeTo(expiring)
export const onLeave = subscribeTo(leaving)

export const readToken = () => localStorage.getItem(key)

export function enter(token: string): void {
  endedByItself = false
  localStorage.setItem(key, token)
  tell(changed)
}

export function leave(): void {
  endedByItself = false
  localStorage.removeItem(key)
  tell(leaving)
  tell(changed)
}

/** The server does not know the token any more. */
export function expire(): void {
  if (readToken() === null) return
  tell(expiring)
  leave()
  endedByItself = true
  tell(changed)
}

export const hasExpired = () => endedByItself

/** Entering and leaving in another tab counts here too. */
export function useToken(): string | null {
  return useSyncExternalStore((listen) => {
    const stop = subscribeTo(changed)(listen)
    const fromOtherTab = (event: StorageEvent) => event.key === key && listen()
    addEventListener('storage', fromOtherTab)
    return () => {
      stop()
      removeEventListener('storage', fromOtherTab)
    }
  }, readToken)
}
