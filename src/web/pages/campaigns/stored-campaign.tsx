import type { ReactNode } from 'react'
import type { Campaign } from '#contract/campaigns.ts'
import { messages } from '#contract/messages.ts'
import { campaign as campaignQuery } from '#web/api/campaigns.ts'
import { useQuery } from '#web/api/store.ts'
import { Layout } from '#web/layout/layout.tsx'
import '#web/pages/petitions/petition-view.css'

interface StoredCampaignProps {
  slug: string
  children: (campaign: Campaign) => ReactNode
}

/** Loads a campaign; shows a message while loading and if there is none. */
export function StoredCampaign({ slug, children }: StoredCampaignProps) {
  const { data, error } = useQuery(campaignQuery(slug))
  if (data) return children(data.campaign)
  return (
    <Layout>
      <div className="petition">
        <section className="petition-reasons">
          <h1>{error ? messages.campaign.notFound : messages.campaign.loading}</h1>
          {error ? <a href="/">Voltar para o início</a> : null}
        </section>
      </div>
    </Layout>
  )
}
