// Links to campaigns that the server draws: no page's scripts need them.
import { type CampaignLink, campaignLinks } from '#contract/campaign-links.ts'
import { useVisit } from '#web/api/visit.ts'

/** The links of one place to campaigns that are on the air. */
export function useCampaignLinks(place: CampaignLink['place']): CampaignLink[] {
  const { site, offAir = [] } = useVisit()
  return campaignLinks(site.deputado).filter((link) => link.place === place && !offAir.includes(link.slug))
}
