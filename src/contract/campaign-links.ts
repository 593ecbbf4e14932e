import { interestRatePetition } from '#contract/petitions.ts'
import type { MenuLink, Site } from '#contract/site.ts'

/** Link from a page of the site to a campaign. Hidden while the campaign is inactive. */
export interface CampaignLink {
  place: 'header' | 'footer' | 'methodology' | 'notFound'
  slug: string
  href: string
  text: string
}

const petition = { slug: interestRatePetition.slug, href: '/peticao' }

/** Links outside the header, which no setting changes. */
export const fixedCampaignLinks: CampaignLink[] = [
  { place: 'footer', ...petition, text: 'Petição contra os juros altos' },
  { place: 'methodology', ...petition, text: 'Assinar a petição' },
  { place: 'notFound', ...petition, text: 'Assinar a petição' },
]

export function campaignLinks({ menu }: Pick<Site, 'menu'>): CampaignLink[] {
  const toCampaign = ({ slug, href, text }: MenuLink) => (slug ? [{ place: 'header' as const, slug, href, text }] : [])
  return [...menu.flatMap(toCampaign), ...fixedCampaignLinks]
}
