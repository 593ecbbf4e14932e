// The admin session, shared by all tabs of this browser.
import { useSyncExternalStore } from 'react'
import { type AdminRole, roleNames } from '#contract/admin/roles.ts'
import { localStore } from '#web/admin/session/browser-storage.ts'

const tokenKey = 'admin_token'
const nameKey = 'admin_nome'
const roleKey = 'admin_papel'
const deviceKey = 'admin_device'
/** Holds the label of a session that must change its password first. */
const passwordChangeKey = 'admin_trocar_senha'
type Listener = () => void

/** Names a session in other keys than its token's: these characters alone open nothing. */
const labelOf = (token: string) => token.slice(0, 8)

const changeListeners = new Set<Listener>()
const expiryListeners = new Set<Listener>()
const endListeners = new Set<Listener>()
const roleListeners = new Set<Listener>()
/** Token of the session that this tab displays. Another tab may just have started another session. */
let token = localStore.getItem(tokenKey)
let name = readStored(nameKey)
let role = storedRole()
let passwordChangeRequired = readStoredRequirement()
/** In memory alone: after a reload, the first refused call tells it again. */
let factorRequired = false
let expired = false

const notify = (listeners: Set<Listener>) => {
  for (const listener of [...listeners]) listener()
}

function subscribeTo(listeners: Set<Listener>) {
  return (listener: Listener): Listener => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
}

const onChange = subscribeTo(changeListeners)
/** Called before the login replaces the page, so that forms can save their drafts. */
export const onExpiry = subscribeTo(expiryListeners)
export const onSessionEnd = subscribeTo(endListeners)
/** Called when a call was refused because of the role: it may have changed. */
export const onRoleRefused = subscribeTo(roleListeners)

export const readToken = () => token

/**
 * Identifies this browser to the login throttle, also after a session: failed logins of others do not delay it. Each
 * login may replace it.
 */
export const readDevice = () => localStore.getItem(deviceKey) ?? undefined
export const storeDevice = (device: string) => localStore.setItem(deviceKey, device)

/** Empty while the name is unknown. */
export const currentUser = () => name

/** Undefined until the server has told it. */
function storedRole(): AdminRole | undefined {
  return roleNames.find((each) => each === readStored(roleKey))
}

/** Values are stored with the label of their session, so that they are never attributed to another one. */
function readStored(key: string): string {
  const stored = localStore.getItem(key) ?? ''
  const start = token && `${labelOf(token)} `
  return start && stored.startsWith(start) ? stored.slice(start.length) : ''
}

function readStoredRequirement(): boolean {
  return token !== null && localStore.getItem(passwordChangeKey) === labelOf(token)
}

interface CurrentUser {
  token: string | null
  username: string
  role: AdminRole
}

/** Stored, so that name and role are known after a reload, even if the server does not answer. */
export function setCurrentUser(session: CurrentUser): void {
  if (session.token !== token) return
  name = session.username.trim().toLowerCase()
  role = session.role
  if (token !== null && localStore.getItem(tokenKey) === token) {
    localStore.setItem(nameKey, `${labelOf(token)} ${name}`)
    localStore.setItem(roleKey, `${labelOf(token)} ${role}`)
  }
  notify(changeListeners)
}

interface NewSession {
  token: string
  username: string
  mustChangePassword?: boolean | undefined
  mustAddFactor?: boolean | undefined
}

export function startSession(session: NewSession): void {
  const { token: newToken, username, mustChangePassword = false, mustAddFactor = false } = session
  expired = false
  token = newToken
  name = username.trim().toLowerCase()
  role = undefined
  passwordChangeRequired = mustChangePassword
  factorRequired = mustAddFactor
  if (mustChangePassword) localStore.setItem(passwordChangeKey, labelOf(token))
  // The name is stored first: other tabs read it when they are notified of the token.
  localStore.setItem(nameKey, `${labelOf(token)} ${name}`)
  localStore.setItem(tokenKey, token)
  notify(changeListeners)
}

export function endSession(): void {
  expired = false
  removeStoredToken()
  token = null
  name = ''
  role = undefined
  passwordChangeRequired = false
  factorRequired = false
  notify(endListeners)
  notify(changeListeners)
}

/** Called when the server rejects a token. A token that this tab no longer uses is ignored. */
export function expireSession(rejectedToken: string | null): void {
  if (token === null || rejectedToken !== token) return
  removeStoredToken()
  syncWithStorage()
}

/** Keeps a token that another tab has stored in the meantime. */
function removeStoredToken(): void {
  if (localStore.getItem(tokenKey) !== token) return
  localStore.removeItem(tokenKey)
  localStore.removeItem(nameKey)
  localStore.removeItem(roleKey)
  localStore.removeItem(passwordChangeKey)
}

/** The server refused a call of this session, because its password was generated and must be changed. */
export function requirePasswordChange(refusedToken: string | null): void {
  if (token === null || refusedToken !== token || passwordChangeRequired) return
  passwordChangeRequired = true
  localStore.setItem(passwordChangeKey, labelOf(token))
  notify(changeListeners)
}

export function reportRoleRefused(refusedToken: string | null): void {
  if (token !== null && refusedToken === token) notify(roleListeners)
}

export function endPasswordChange(): void {
  passwordChangeRequired = false
  localStore.removeItem(passwordChangeKey)
  notify(changeListeners)
}

/** The server refused a call of this session, because its account must set up a second factor. */
export function requireFactor(refusedToken: string | null): void {
  if (token === null || refusedToken !== token || factorRequired) return
  factorRequired = true
  notify(changeListeners)
}

export function endFactorSetup(): void {
  factorRequired = false
  notify(changeListeners)
}

export const hasExpired = () => expired

/**
 * Takes over the stored token, which another tab may have changed. The user of this tab was not asked, so forms save
 * their drafts first.
 */
function syncWithStorage(): void {
  const storedToken = localStore.getItem(tokenKey)
  if (storedToken === token) return
  notify(expiryListeners)
  token = storedToken
  name = readStored(nameKey)
  role = storedRole()
  passwordChangeRequired = readStoredRequirement()
  factorRequired = false
  expired = storedToken === null
  notify(endListeners)
  notify(changeListeners)
}

addEventListener('storage', (event) => {
  // The key is null when the whole storage was cleared.
  if (event.key === tokenKey || event.key === null) syncWithStorage()
  if (event.key !== passwordChangeKey) return
  // Another tab of the same session has changed the password.
  passwordChangeRequired = readStoredRequirement()
  notify(changeListeners)
})
// A page from the back/forward cache has missed the storage events.
addEventListener('pageshow', syncWithStorage)

export function useToken(): string | null {
  return useSyncExternalStore(onChange, readToken)
}

/** Undefined until the server has told it. */
export function useRole(): AdminRole | undefined {
  return useSyncExternalStore(onChange, () => role)
}

/** Also while the role is unknown: the server refuses what is not allowed. */
export function useIsCoordinator(): boolean {
  return useRole() !== 'conteudo'
}

export function usePasswordChangeRequired(): boolean {
  return useSyncExternalStore(onChange, () => passwordChangeRequired)
}

export function useFactorRequired(): boolean {
  return useSyncExternalStore(onChange, () => factorRequired)
}
