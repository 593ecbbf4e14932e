import { peaceCampaign, signCampaign } from '#contract/campaigns.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { campaignCount } from '#web/api/petitions.ts'
import { StoredCampaign } from '#web/pages/campaigns/stored-campaign.tsx'
import { PetitionView } from '#web/pages/petitions/petition-view.tsx'

export default function CampaignPage() {
  // The route `/brasilquerpaz` has no slug parameter.
  const { slug = peaceCampaign } = usePageContext().params
  return (
    <StoredCampaign slug={slug}>
      {(campaign) => (
        <PetitionView
          campaign={campaign}
          sticker="Campanha"
          count={campaignCount(slug)}
          baseCount={campaign.baseCount}
          firstCount={campaign.baseCount}
          signing={signCampaign}
          params={{ slug }}
        />
      )}
    </StoredCampaign>
  )
}
