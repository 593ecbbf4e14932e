import { Outlet } from 'react-router'
import { PasswordChangePage } from '#web/admin/password/password-change-page.tsx'
import { usePasswordChangeRequired } from '#web/admin/session/session.ts'

/** The URL stays the same, so that the wanted page opens after the change. */
export function RequireOwnPassword() {
  return usePasswordChangeRequired() ? <PasswordChangePage /> : <Outlet />
}
