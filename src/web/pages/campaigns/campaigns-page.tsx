// `/campanhas`: all campaigns, those that can be signed first.
import type { ListedCampaign } from '#contract/campaigns.ts'
import { activeCampaigns } from '#web/api/campaigns.ts'
import { useQuery } from '#web/api/store.ts'
import { Layout } from '#web/layout/layout.tsx'
import { Poster } from '#web/layout/poster.tsx'
import { CampaignCard } from '#web/ui/campaign-card.tsx'
import '#web/ui/campaign-card.css'
import './campaigns-page.css'

export default function CampaignsPage() {
  const campaigns = useQuery(activeCampaigns).data?.campaigns ?? []
  return (
    <Layout>
      <Poster
        sticker="Campanhas"
        title="Escolha a sua luta"
        lead="Cada assinatura aumenta a pressão. Assine, mande para os seus grupos e volte para ver o resultado."
      />
      {/* The browser does not render this page: this keeps the cards out of the scripts of other pages. */}
      {RENDERS_STATIC && <CampaignLists campaigns={campaigns} />}
    </Layout>
  )
}

function CampaignLists({ campaigns }: { campaigns: ListedCampaign[] }) {
  const live = campaigns.filter(({ status }) => status === 'live')
  const over = campaigns.filter(({ status }) => status !== 'live')
  return (
    <section className="campaigns" aria-label="Campanhas">
      {live.length === 0 && (
        <p className="campaigns-empty">
          Nenhuma campanha aberta agora. Enquanto isso, <a href="/#time-lula">entre para o time</a> e fique sabendo da
          próxima.
        </p>
      )}
      {live.length > 0 && (
        <ul className="campaign-cards">
          {live.map((campaign) => (
            <CampaignCard key={campaign.slug} campaign={campaign} heading="h2" />
          ))}
        </ul>
      )}
      {over.length > 0 && (
        <>
          <h2 className="campaigns-over">O que já fizemos</h2>
          <ul className="campaign-cards">
            {over.map((campaign) => (
              <CampaignCard key={campaign.slug} campaign={campaign} heading="h3" />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
