// Roles of administrators, and the pages of the admin area that each role may open.
import type { adminPaths } from '#contract/admin/paths.ts'

/** `coordenacao` may do everything, `conteudo` works on what the site publishes and sees no personal data. */
export const adminRoles = { coordenacao: 'Coordenação', conteudo: 'Conteúdo' } as const
export type AdminRole = keyof typeof adminRoles
export const roleNames = Object.keys(adminRoles) as AdminRole[]

type AdminPage = keyof typeof adminPaths

/** All other pages are for `coordenacao`. The endpoints decide on their own: see `role` in contract/endpoint.ts. */
const contentPages: AdminPage[] = [
  'login',
  'dashboard',
  'contents',
  'campaigns',
  'newCampaign',
  'campaign',
  'news',
  'newNews',
  'newsItem',
  'numbers',
  'campaignNumbers',
  'account',
]

export const mayOpen = (role: AdminRole, page: AdminPage) => role === 'coordenacao' || contentPages.includes(page)
