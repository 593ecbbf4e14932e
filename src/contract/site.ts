/** The site settings in effect, as pages, e-mails and images use them. `resolveSite` makes them from `SiteSettings`. */
export interface Site {
  movimento: string
  lema: string
  hashtag: string
  /** Path of the uploaded logo. Without it our own logo is shown. */
  logo?: string
  deputado: { slug: string; nome: string }
  contato: { email: string; whatsapp: string; mensagem: string }
  lembrete: boolean
  /** How many news e-mails a mailbox gets per day at most, of all campaigns together. */
  novidadesPorDia: number
  grupos: { geral: string; criadores: string; influenciadores: string }
  /** Only the profiles that exist. */
  perfis: Partial<Record<Profile, string>>
  comunidade: { formulario: string; membros: string; assinaturas: string; cidades: string; origem: string }
  /** Links of the header, in order, without hidden ones. */
  menu: MenuLink[]
  /** For administrators only. */
  botconversa?: { empresa: string } | undefined
}

export const profiles = ['instagram', 'facebook', 'twitter', 'tiktok', 'youtube'] as const
export type Profile = (typeof profiles)[number]

export interface MenuLink {
  href: string
  text: string
  /** The campaign that the link leads to. Hidden while the campaign is inactive. */
  slug?: string
}
