// `/p/{slug}` and `/brasilquerpaz`: a page for whatever campaign is stored.
import { peaceCampaign, signCampaign } from '#contract/campaigns.ts'
import { campaignCount } from '#web/api/petitions.ts'
import { useVisit } from '#web/api/visit.ts'
import { StoredCampaign } from '#web/pages/campaigns/stored-campaign.tsx'
import { PetitionView } from '#web/pages/petitions/petition-view.tsx'

export default function CampaignPage() {
  const { slug = peaceCampaign } = useVisit().params
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
