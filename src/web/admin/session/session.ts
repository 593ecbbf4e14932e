// Whether somebody is in: the token that the browser keeps, and who must know when it is gone.
import { useSyncExternalStore } from 'react'

const key = 'admin_token'
type Listener = () => void

const changed = new Set<Listener>()
const expiring = new Set<Listener>()
const leaving = new Set<Listener>()
let endedByItself = false
let lastIn = ''
let onTheWayOut = false

const tell = (listeners: Set<Listener>) => {
  for (const listen of [...listeners]) listen()
}

function subscribeTo(listeners: Set<Listener>) {
  return (listen: Listener): Listener => {
    listeners.add(listen)
    return () => listeners.delete(listen)
  }
}

const onChange = subscribeTo(changed)
/** Who types something is asked to put it away before the login takes the page's place. */
export const onExpiry = subscribeTo(expiring)
export const onLeave = subscribeTo(leaving)

export const readToken = () => localStorage.getItem(key)

/** Who is in, or was the last to be in this tab. */
export const lastOneIn = () => lastIn

export function noteWhoIsIn(username: string): void {
  lastIn = username.trim().toLowerCase()
}

export function enter(token: string, username: string): void {
  endedByItself = false
  noteWhoIsIn(username)
  localStorage.setItem(key, token)
  tell(changed)
}

/** Somebody has chosen to go: that the server refuses the token meanwhile is no news, and nothing is put away for it. */
export function startLeaving(): void {
  onTheWayOut = true
}

export function leave(): void {
  endedByItself = false
  onTheWayOut = false
  localStorage.removeItem(key)
  tell(leaving)
  tell(changed)
}

/** The server does not know the token any more. */
export function expire(): void {
  if (readToken() === null || onTheWayOut) return
  tell(expiring)
  leave()
  endedByItself = true
  tell(changed)
}

export const hasExpired = () => endedByItself

/** Entering and leaving in another tab counts here too. Nobody was asked in this one, so what is typed here is put away. */
addEventListener('storage', (event) => {
  // Without a name everything was cleared.
  if (event.key !== key && event.key !== null) return
  endedByItself = readToken() === null
  if (endedByItself) {
    tell(expiring)
    tell(leaving)
  }
  tell(changed)
})

export function useToken(): string | null {
  return useSyncExternalStore(onChange, readToken)
}
