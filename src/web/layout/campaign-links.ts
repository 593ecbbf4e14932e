// Used only in parts that the server renders, so that the scripts of the pages do not contain the links.
import { type CampaignLink, fixedCampaignLinks } from '#contract/campaign-links.ts'
import { usePageContext } from '#web/api/page-context.ts'

/** Links for one part of the site, except the header, to active campaigns. */
export function useCampaignLinks(place: CampaignLink['place']): CampaignLink[] {
  const { inactiveCampaigns = [] } = usePageContext()
  return fixedCampaignLinks.filter((link) => link.place === place && !inactiveCampaigns.includes(link.slug))
}
