// What can be seen in the admin area, and by whom: everything but the login needs a session.
import type { ComponentType } from 'react'
import { Navigate, type RouteObject } from 'react-router'
import type { AdminAddress } from '#contract/admin/addresses.ts'
import { Layout } from '#web/admin/layout.tsx'
import { Inside } from '#web/admin/session/inside.tsx'
import { LoginPage } from '#web/admin/session/login-page.tsx'
import { AreaProblem, PageProblem, Waiting } from '#web/admin/ui/states.tsx'

/** A page that is downloaded when somebody goes there. */
function page<Name extends string>(
  path: AdminAddress,
  name: Name,
  load: () => Promise<Record<Name, ComponentType>>,
): RouteObject {
  return { path, lazy: async () => ({ Component: (await load())[name] }) }
}

const pages: RouteObject[] = [
  page('/admin/dashboard', 'DashboardPage', () => import('#web/admin/dashboard/dashboard-page.tsx')),
  page('/admin/conteudos', 'ContentsPage', () => import('#web/admin/contents/contents-page.tsx')),
  page('/admin/campanhas', 'CampaignsPage', () => import('#web/admin/campaigns/campaigns-page.tsx')),
  page('/admin/campanhas/nova', 'NewCampaignPage', () => import('#web/admin/campaigns/campaign-page.tsx')),
  page('/admin/campanhas/:id', 'CampaignPage', () => import('#web/admin/campaigns/campaign-page.tsx')),
  { path: '/admin/pessoas', element: <Navigate to="/admin/pessoas/assinaturas" replace /> },
  page('/admin/pessoas/:tipo', 'PeoplePage', () => import('#web/admin/people/people-page.tsx')),
  page('/admin/numeros', 'NumbersPage', () => import('#web/admin/numbers/numbers-page.tsx')),
  page('/admin/numeros/:slug', 'CampaignNumbersPage', () => import('#web/admin/numbers/campaign-numbers-page.tsx')),
  page('/admin/botconversa', 'ConversationsPage', () => import('#web/admin/conversations/conversations-page.tsx')),
  page('/admin/botconversa/:id', 'ConversationPage', () => import('#web/admin/conversations/conversation-page.tsx')),
  page('/admin/equipe', 'TeamPage', () => import('#web/admin/team/team-page.tsx')),
  page('/admin/registro', 'DeedsPage', () => import('#web/admin/deeds/deeds-page.tsx')),
  page('/admin/sistema', 'SystemPage', () => import('#web/admin/system/system-page.tsx')),
]

export const routes: RouteObject[] = [
  { path: '/admin', Component: LoginPage, ErrorBoundary: AreaProblem },
  {
    Component: Inside,
    ErrorBoundary: AreaProblem,
    HydrateFallback: Waiting,
    // A page that does not come leaves the menu, so that the others are within reach.
    children: [{ Component: Layout, children: [{ ErrorBoundary: PageProblem, children: pages }] }],
  },
]
