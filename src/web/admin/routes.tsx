// Routes of the admin area. Every page except the login requires a session.
import type { ComponentType } from 'react'
import { Navigate, type RouteObject } from 'react-router'
import { adminPaths } from '#contract/admin/paths.ts'
import { fillPath } from '#contract/endpoint.ts'
import { RequireSecondFactor } from '#web/admin/account/require-second-factor.tsx'
import { Layout } from '#web/admin/layout/layout.tsx'
import { RequireRole } from '#web/admin/layout/require-role.tsx'
import { LoginPage } from '#web/admin/login/login-page.tsx'
import { RequireOwnPassword } from '#web/admin/password/require-own-password.tsx'
import { RequireSession } from '#web/admin/session/require-session.tsx'
import { AreaProblem, Loading, PageProblem } from '#web/admin/ui/query-boundary.tsx'

type PageRoute = Pick<RouteObject, 'lazy' | 'element'>

/** A page that is loaded on first navigation. */
function page<Name extends string>(name: Name, load: () => Promise<Record<Name, ComponentType>>): PageRoute {
  return { lazy: async () => ({ Component: (await load())[name] }) }
}

/** A page for every path that requires a session. */
const pages: Record<Exclude<keyof typeof adminPaths, 'login'>, PageRoute> = {
  dashboard: page('DashboardPage', () => import('#web/admin/dashboard/dashboard-page.tsx')),
  contents: page('ContentsPage', () => import('#web/admin/contents/contents-page.tsx')),
  campaigns: page('CampaignsPage', () => import('#web/admin/campaigns/campaigns-page.tsx')),
  newCampaign: page('NewCampaignPage', () => import('#web/admin/campaigns/campaign-page.tsx')),
  campaign: page('CampaignPage', () => import('#web/admin/campaigns/campaign-page.tsx')),
  news: page('NewsPage', () => import('#web/admin/news/news-page.tsx')),
  newNews: page('NewNewsItemPage', () => import('#web/admin/news/news-item-page.tsx')),
  newsItem: page('NewsItemPage', () => import('#web/admin/news/news-item-page.tsx')),
  people: { element: <Navigate to={fillPath(adminPaths.peopleOfKind, { tipo: 'assinaturas' })} replace /> },
  peopleOfKind: page('PeoplePage', () => import('#web/admin/people/people-page.tsx')),
  peopleImports: page('ImportsPage', () => import('#web/admin/people/imports-page.tsx')),
  peopleImport: page('ImportPage', () => import('#web/admin/people/import-page.tsx')),
  person: page('PersonPage', () => import('#web/admin/people/person-page.tsx')),
  numbers: page('NumbersPage', () => import('#web/admin/numbers/numbers-page.tsx')),
  campaignNumbers: page('CampaignNumbersPage', () => import('#web/admin/numbers/campaign-numbers-page.tsx')),
  conversations: page('ConversationsPage', () => import('#web/admin/conversations/conversations-page.tsx')),
  conversation: page('ConversationPage', () => import('#web/admin/conversations/conversation-page.tsx')),
  site: page('SitePage', () => import('#web/admin/site/site-page.tsx')),
  account: page('AccountPage', () => import('#web/admin/account/account-page.tsx')),
  team: page('TeamPage', () => import('#web/admin/team/team-page.tsx')),
  auditLog: page('AuditLogPage', () => import('#web/admin/audit-log/audit-log-page.tsx')),
  suppressions: page('SuppressionsPage', () => import('#web/admin/suppressions/suppressions-page.tsx')),
  system: page('SystemPage', () => import('#web/admin/system/system-page.tsx')),
}
const pageRoutes = Object.entries(pages).map(([key, route]) => {
  const name = key as keyof typeof pages
  return { element: <RequireRole page={name} />, children: [{ path: adminPaths[name], ...route }] }
})

export const routes: RouteObject[] = [
  { path: adminPaths.login, Component: LoginPage, ErrorBoundary: AreaProblem },
  {
    Component: RequireSession,
    ErrorBoundary: AreaProblem,
    HydrateFallback: Loading,
    // When a page fails to load, the menu stays, so that the other pages remain reachable.
    children: [
      {
        Component: RequireOwnPassword,
        children: [
          {
            Component: RequireSecondFactor,
            children: [{ Component: Layout, children: [{ ErrorBoundary: PageProblem, children: pageRoutes }] }],
          },
        ],
      },
    ],
  },
]
