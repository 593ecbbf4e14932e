// `/peticao`: petition against high interest rates.
import { interestRatePetition, signPetition } from '#contract/petitions.ts'
import { petitionCount } from '#web/api/petitions.ts'
import { StoredCampaign } from '#web/pages/campaigns/stored-campaign.tsx'
import { PetitionView } from '#web/pages/petitions/petition-view.tsx'

export default function PetitionPage() {
  return (
    <StoredCampaign slug={interestRatePetition.slug}>
      {(campaign) => (
        <PetitionView
          campaign={campaign}
          sticker="Abaixo-assinado"
          count={petitionCount}
          firstCount={interestRatePetition.baseCount}
          signing={signPetition}
        />
      )}
    </StoredCampaign>
  )
}
