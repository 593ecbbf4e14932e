// `/{name}-cassado`: for the removal of the deputy that the site settings name.
import { deputyCampaign, signDeputyPetition } from '#contract/petitions.ts'
import { deputyPetitionCount } from '#web/api/petitions.ts'
import { useVisit } from '#web/api/visit.ts'
import { StoredCampaign } from '#web/pages/campaigns/stored-campaign.tsx'
import { PetitionView } from '#web/pages/petitions/petition-view.tsx'

export default function DeputyPage() {
  const { deputado } = useVisit().site
  return (
    <StoredCampaign slug={deputyCampaign(deputado.slug)}>
      {(campaign) => (
        <PetitionView
          campaign={campaign}
          sticker="Abaixo-assinado"
          count={deputyPetitionCount}
          signing={signDeputyPetition}
        />
      )}
    </StoredCampaign>
  )
}
