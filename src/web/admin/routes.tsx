// What can be seen in the admin area, and by whom: everything but the login needs a session.
import { Navigate, type RouteObject } from 'react-router'
import { Layout } from '#web/admin/layout.tsx'
import { Inside } from '#web/admin/session/inside.tsx'
import { LoginPage } from '#web/admin/session/login-page.tsx'
import { AreaProblem, Waiting } from '#web/admin/ui/states.tsx'

export const routes: RouteObject[] = [
  { path: '/admin', Component: LoginPage, ErrorBoundary: AreaProblem },
  {
    Component: Inside,
    ErrorBoundary: AreaProblem,
    HydrateFallback: Waiting,
    children: [
      {
        Component: Layout,
        children: [
          {
            path: '/admin/dashboard',
            lazy: async () => ({ Component: (await import('#web/admin/dashboard/dashboard-page.tsx')).DashboardPage }),
          },
          { path: '/admin/pessoas', element: <Navigate to="/admin/pessoas/assinaturas" replace /> },
          {
            path: '/admin/pessoas/:tipo',
            lazy: async () => ({ Component: (await import('#web/admin/people/people-page.tsx')).PeoplePage }),
          },
          { path: '/admin/*', element: <Navigate to="/admin/dashboard" replace /> },
        ],
      },
    ],
  },
]
