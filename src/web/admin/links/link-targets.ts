import { campaignPath } from '#contract/campaigns.ts'
import type { LinkTarget } from '#web/admin/links/link-builder.tsx'
import { site } from '#web/admin/ui/site.ts'

export const campaignTarget = ({ slug, titulo }: { slug: string; titulo: string }): LinkTarget => ({
  path: campaignPath(slug, site.deputado.slug),
  title: titulo,
  slug,
})

/** Pages with a form that are no campaign. */
export const sitePages: [LinkTarget, ...LinkTarget[]] = [
  { path: '/', title: 'Página inicial: cadastro de voluntários', text: `Faça parte do ${site.movimento}:` },
  {
    path: '/influenciadoresCOMLULA',
    title: 'Inscrição de influenciadores',
    text: `Seja influenciador do ${site.movimento}:`,
  },
  { path: '/formulario-lideres', title: 'Inscrição de líderes', text: `Seja líder do ${site.movimento}:` },
]
