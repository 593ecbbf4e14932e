// The links of the page header: those of the specification, and how an organiser hides, reorders and adds links.
import { campaignPath, peaceCampaign } from '#contract/campaigns.ts'
import { deputyCampaign, interestRatePetition } from '#contract/petitions.ts'
import type { MenuLink, Site } from '#contract/site.ts'

export const menuKeys = ['inicio', 'influenciadores', 'cassacao', 'pec', 'escala', 'paz', 'comunidade'] as const
export type MenuKey = (typeof menuKeys)[number]

/** A link of the specification, known by its key, or an organiser's own link. */
export interface MenuItem {
  chave?: MenuKey | undefined
  texto?: string | undefined
  endereco?: string | undefined
  oculto: boolean
}

export const defaultMenu: MenuItem[] = menuKeys.map((chave) => ({ chave, oculto: false }))

/** The links of the specification. */
export function specifiedLinks({ slug, nome }: Site['deputado']): Record<MenuKey, MenuLink> {
  const deputy = deputyCampaign(slug)
  return {
    inicio: { href: '/', text: 'Início' },
    influenciadores: { href: '/influenciadoresCOMLULA', text: 'Influenciadores' },
    cassacao: { href: `/p/${deputy}`, text: `Cassação de ${nome}`, slug: deputy },
    pec: {
      href: '/p/contra-pec-da-impunidade',
      text: 'Contra a PEC da impunidade',
      slug: 'contra-pec-da-impunidade',
    },
    escala: { href: '/p/fim-escala-6x1', text: 'Fim da escala 6x1', slug: 'fim-escala-6x1' },
    paz: { href: `/${peaceCampaign}`, text: 'Brasil quer paz', slug: peaceCampaign },
    comunidade: { href: '/comunidade', text: 'Comunidade' },
  }
}

/** Pages that an own link may lead to, beside the campaigns, with their titles. */
export const menuPages: Record<string, string> = {
  '/': 'Início',
  '/campanhas': 'Todas as campanhas',
  '/influenciadoresCOMLULA': 'Influenciadores',
  '/formulario-lideres': 'Formulário de líderes',
  '/conteudos-destaque': 'Conteúdos em destaque',
  '/comunidade': 'Comunidade',
  '/grupo': 'Grupo do WhatsApp',
  '/embed-codes': 'Códigos para o seu site',
  '/metodologia': 'Metodologia',
  '/privacidade': 'Privacidade',
}

/** Below them, paths cannot be listed. */
const unlisted = /^\/(grupo|embed|media|admin)\//

/** Whether the address is a path of this site that is neither a page nor one of the campaigns. */
export function isUnknownPage(address: string, campaigns: readonly string[], deputado: Site['deputado']): boolean {
  const [path = ''] = address.trim().split(/[?#]/)
  if (!path.startsWith('/') || unlisted.test(path)) return false
  const page = path.replace(/(?<=.)\/$/, '')
  const slug = campaignOfPath(page, deputado.slug)
  return slug === undefined ? !Object.hasOwn(menuPages, page) : !campaigns.includes(slug)
}

/** The links to show. Specified links that the list lacks are added at its end: they can only be hidden. */
export function resolveMenu(items: readonly MenuItem[], deputado: Site['deputado']): MenuLink[] {
  const specified = specifiedLinks(deputado)
  return completeMenu(items).flatMap(({ chave, texto = '', endereco = '', oculto }) => {
    if (oculto) return []
    if (chave) return [specified[chave]]
    const slug = campaignOfPath(endereco, deputado.slug)
    return [{ href: endereco, text: texto, ...(slug && { slug }) }]
  })
}

export function completeMenu(items: readonly MenuItem[]): MenuItem[] {
  return [...items, ...defaultMenu.filter(({ chave }) => !items.some((item) => item.chave === chave))]
}

/** The campaign whose page has this path, if it is one. */
function campaignOfPath(address: string, deputySlug: string): string | undefined {
  const [path = ''] = address.split(/[?#]/)
  const slug = /^\/p\/([a-z0-9-]+)\/?$/.exec(path)?.[1]
  const ownPages = [interestRatePetition.slug, deputyCampaign(deputySlug), peaceCampaign]
  return slug ?? ownPages.find((own) => campaignPath(own, deputySlug) === path)
}
