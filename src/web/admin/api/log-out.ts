import { logOut } from '#contract/admin/session.ts'
import { callAdmin } from '#web/admin/api/client.ts'
import { endSession, readToken } from '#web/admin/session/session.ts'
import { ApiFailure } from '#web/api/client.ts'

/**
 * Does not wait for the server, because the network may be bad. Without a network the token is at least removed from
 * this machine; the server is notified when the network is back, if the tab is still open.
 */
export function endCurrentSession(): void {
  const token = readToken()
  const notifyServer = () => callAdmin(logOut, { token })
  const isServerReply = (error: unknown) => error instanceof ApiFailure
  const notifyWhenOnline = () => addEventListener('online', () => void notifyServer().catch(() => {}), { once: true })
  notifyServer().catch((error) => {
    if (isServerReply(error)) return
    // The network may have come back before the call failed; no `online` event follows in that case.
    if (navigator.onLine) notifyServer().catch((retryError) => isServerReply(retryError) || notifyWhenOnline())
    else notifyWhenOnline()
  })
  endSession()
}
