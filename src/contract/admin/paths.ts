/** All paths of the admin area, for server and browser. Any other path is not found. */
export const adminPaths = {
  login: '/admin',
  dashboard: '/admin/dashboard',
  contents: '/admin/conteudos',
  campaigns: '/admin/campanhas',
  newCampaign: '/admin/campanhas/nova',
  campaign: '/admin/campanhas/:id',
  people: '/admin/pessoas',
  peopleOfKind: '/admin/pessoas/:tipo',
  person: '/admin/pessoas/:tipo/:id',
  numbers: '/admin/numeros',
  campaignNumbers: '/admin/numeros/:slug',
  conversations: '/admin/botconversa',
  conversation: '/admin/botconversa/:id',
  team: '/admin/equipe',
  auditLog: '/admin/registro',
  system: '/admin/sistema',
} as const
