// Notices of the area. Who was sent back to the login is told there, and finds no old notice after it.
import { onLeave, readToken } from '#web/admin/session/session.ts'
import { clearToast, showToast as show, type Toast } from '#web/ui/toast.tsx'

onLeave(clearToast)

export function showToast(toast: Toast): void {
  if (readToken() !== null) show(toast)
}
