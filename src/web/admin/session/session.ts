// Whether somebody is in, and who: the token that the browser keeps, and who must know when it is gone.
import { useSyncExternalStore } from 'react'
import { forEveryTab } from '#web/admin/session/kept.ts'

const key = 'admin_token'
const nameKey = 'admin_nome'
const deviceKey = 'admin_device'
type Listener = () => void

const changed = new Set<Listener>()
const expiring = new Set<Listener>()
const leaving = new Set<Listener>()
/** Of the session that this tab shows. Another tab may have begun another one a moment ago. */
let token = forEveryTab.getItem(key)
let name = keptName()
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

const onChange = subscribeTo(changed)
/** Who types something is asked to put it away before the login takes the page's place. */
export const onExpiry = subscribeTo(expiring)
export const onLeave = subscribeTo(leaving)

export const readToken = () => token

/** By which the server knows this browser again after the session has ended: its logins are not slowed by those of strangers. */
export const readDevice = () => forEveryTab.getItem(deviceKey) ?? undefined
export const keepDevice = (device: string) => forEveryTab.setItem(deviceKey, device)

/** Nothing while it is not known. */
export const whoIsIn = () => name

/** Kept together with its token: whose another token is, it does not tell. */
function keptName(): string {
  const kept = forEveryTab.getItem(nameKey) ?? ''
  return token && kept.startsWith(`${token} `) ? kept.slice(token.length + 1) : ''
}

/** Kept, so that it is known after the page was loaded again, also if the server does not answer then. */
export function noteWhoIsIn(session: { token: string | null; username: string }): void {
  if (session.token !== token) return
  name = session.username.trim().toLowerCase()
  if (forEveryTab.getItem(key) === token) forEveryTab.setItem(nameKey, `${token} ${name}`)
}

export function enter(given: string, username: string): void {
  endedByItself = false
  token = given
  name = username.trim().toLowerCase()
  // The name first: other tabs look for it when they hear of the token.
  forEveryTab.setItem(nameKey, `${token} ${name}`)
  forEveryTab.setItem(key, token)
  tell(changed)
}

export function leave(): void {
  endedByItself = false
  giveBack()
  token = null
  name = ''
  tell(leaving)
  tell(changed)
}

/** The server does not know this token any more. Of one that was given back already that is no news. */
export function expire(refused: string | null): void {
  if (token === null || refused !== token) return
  giveBack()
  follow()
}

/** Not the one that another tab has got meanwhile. */
function giveBack(): void {
  if (forEveryTab.getItem(key) !== token) return
  forEveryTab.removeItem(key)
  forEveryTab.removeItem(nameKey)
}

export const hasExpired = () => endedByItself

/** What the browser keeps counts here too, also when another tab has changed it. Nobody was asked in this one, so what is typed here is put away. */
function follow(): void {
  const present = forEveryTab.getItem(key)
  if (present === token) return
  tell(expiring)
  token = present
  name = keptName()
  endedByItself = present === null
  tell(leaving)
  tell(changed)
}

addEventListener('storage', (event) => {
  // Without a name everything was cleared.
  if (event.key === key || event.key === null) follow()
})
// A page that the browser had put aside was told nothing meanwhile.
addEventListener('pageshow', follow)

export function useToken(): string | null {
  return useSyncExternalStore(onChange, readToken)
}
