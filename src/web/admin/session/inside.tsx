// The door: without a token there is the login, which leads back to where one wanted to go.
import { Navigate, Outlet, useLocation } from 'react-router'
import { useToken } from '#web/admin/session/session.ts'

export interface CameFrom {
  from?: string
}

export function Inside() {
  const token = useToken()
  const { pathname, search } = useLocation()
  // Another session is another person perhaps: nothing on the screen is carried over.
  if (token) return <Outlet key={token} />
  return <Navigate to="/admin" replace state={{ from: pathname + search } satisfies CameFrom} />
}
