import { Navigate, Outlet, useLocation } from 'react-router'
import { adminPaths } from '#contract/admin/paths.ts'
import { useToken } from '#web/admin/session/session.ts'

export interface ReturnLocation {
  /** The page to open after the login. */
  from?: string
}

export function RequireSession() {
  const token = useToken()
  const { pathname, search } = useLocation()
  // The key remounts all pages: another session may belong to another person, so no state is carried over.
  if (token) return <Outlet key={token} />
  return <Navigate to={adminPaths.login} replace state={{ from: pathname + search } satisfies ReturnLocation} />
}
