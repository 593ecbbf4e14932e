import { activeCampaigns, liveCampaigns } from '#web/api/campaigns.ts'
import { useQuery } from '#web/api/store.ts'
import { CampaignCard } from '#web/ui/campaign-card.tsx'

/** The first campaigns that can be signed. Nothing while there are none. */
export function HomeCampaigns() {
  const campaigns = liveCampaigns(useQuery(activeCampaigns).data)
  if (campaigns.length === 0) return null
  return (
    <section className="home-campaigns" aria-labelledby="campanhas-titulo">
      <div className="home-inner">
        <h2 className="home-title" id="campanhas-titulo">
          Assine agora
        </h2>
        <ul className="campaign-cards">
          {campaigns.map((campaign) => (
            <CampaignCard key={campaign.slug} campaign={campaign} heading="h3" />
          ))}
        </ul>
        <a className="button home-all-campaigns" href="/campanhas">
          Ver todas as campanhas
        </a>
      </div>
    </section>
  )
}
