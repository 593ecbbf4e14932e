import { peaceCampaign } from '#contract/campaigns.ts'
import { deputyCampaign, interestRatePetition } from '#contract/petitions.ts'
import type { Site } from '#contract/site.ts'

/** Link from a page of the site to a campaign. Hidden while the campaign is inactive. */
export interface CampaignLink {
  place: 'header' | 'footer' | 'methodology' | 'notFound'
  slug: string
  href: string
  text: string
}

export function campaignLinks(deputado: Site['deputado']): CampaignLink[] {
  const header = (slug: string, text: string, href = `/p/${slug}`): CampaignLink => {
    return { place: 'header', slug, href, text }
  }
  const petition = { slug: interestRatePetition.slug, href: '/peticao' }
  return [
    header(deputyCampaign(deputado.slug), `Cassação de ${deputado.nome}`),
    header('contra-pec-da-impunidade', 'Contra a PEC da impunidade'),
    header('fim-escala-6x1', 'Fim da escala 6x1'),
    header(peaceCampaign, 'Brasil quer paz', `/${peaceCampaign}`),
    { place: 'footer', ...petition, text: 'Petição contra os juros altos' },
    { place: 'methodology', ...petition, text: 'Assinar a petição' },
    { place: 'notFound', ...petition, text: 'Assinar a petição' },
  ]
}
