// `/{name}-cassado`: petition for the removal of the deputy named in the site settings.
import { deputyCampaign, signDeputyPetition } from '#contract/petitions.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { deputyPetitionCount } from '#web/api/petitions.ts'
import { StoredCampaign } from '#web/pages/campaigns/stored-campaign.tsx'
import { PetitionView } from '#web/pages/petitions/petition-view.tsx'

export default function DeputyPage() {
  const { deputado } = usePageContext().site
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
