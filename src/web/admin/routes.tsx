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
          {
            path: '/admin/numeros',
            lazy: async () => ({ Component: (await import('#web/admin/numbers/numbers-page.tsx')).NumbersPage }),
          },
          {
            path: '/admin/numeros/:slug',
            lazy: async () => ({
              Component: (await import('#web/admin/numbers/campaign-numbers-page.tsx')).CampaignNumbersPage,
            }),
          },
          {
            path: '/admin/equipe',
            lazy: async () => ({ Component: (await import('#web/admin/team/team-page.tsx')).TeamPage }),
          },
          {
            path: '/admin/registro',
            lazy: async () => ({ Component: (await import('#web/admin/deeds/deeds-page.tsx')).DeedsPage }),
          },
          {
            path: '/admin/sistema',
            lazy: async () => ({ Component: (await import('#web/admin/system/system-page.tsx')).SystemPage }),
          },
          {
            path: '/admin/botconversa',
            lazy: async () => ({
              Component: (await import('#web/admin/conversations/conversations-page.tsx')).ConversationsPage,
            }),
          },
          {
            path: '/admin/botconversa/:id',
            lazy: async () => ({
              Component: (await import('#web/admin/conversations/conversation-page.tsx')).ConversationPage,
            }),
          },
          { path: '/admin/*', element: <Navigate to="/admin/dashboard" replace /> },
        ],
      },
    ],
  },
]
