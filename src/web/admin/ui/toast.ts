import { onSessionEnd, readToken } from '#web/admin/session/session.ts'
import { clearToast, showToast as show, type Toast } from '#web/ui/toast.tsx'

onSessionEnd(clearToast)

/** Without a session, the login page displays the reason itself. No old toast may reappear after the login. */
export function showToast(toast: Toast): void {
  if (readToken() !== null) show(toast)
}
