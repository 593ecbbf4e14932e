// `/embed/{slug}`: signing a stored campaign inside somebody else's page.
import { campaignPath, signCampaign } from '#contract/campaigns.ts'
import { campaign as campaignQuery } from '#web/api/campaigns.ts'
import { useLiveCount } from '#web/api/live-count.ts'
import { addOneSignature, campaignCount } from '#web/api/petitions.ts'
import { useQuery, useStore } from '#web/api/store.ts'
import { useVisit, useWayOut } from '#web/api/visit.ts'
import { SignatureForm } from '#web/forms/signature-form.tsx'
import { Framed } from '#web/layout/framed.tsx'
import { Counter } from '#web/ui/counter.tsx'
import './embed.css'

export default function PetitionEmbedPage() {
  const { publicUrl, params, site } = useVisit()
  const wayOut = useWayOut()
  const { slug = '' } = params
  const store = useStore()
  const count = campaignCount(slug)
  const counted = useLiveCount(count) ?? 0
  const campaign = useQuery(campaignQuery(slug)).data?.campaign
  // The server draws this page with its campaign or not at all.
  if (!campaign) return null

  // What is passed on is the campaign's own page, where the manifesto is.
  const path = campaignPath(slug, site.deputado.slug)
  return (
    <Framed>
      <div className="embed">
        <div className="embed-head">
          <h1 id="titulo">{campaign.titulo}</h1>
          {campaign.subtitulo && <p className="embed-lead embed-subtitle">{campaign.subtitulo}</p>}
          <Counter value={campaign.baseCount + counted} />
          <a className="embed-more" href={path} {...wayOut}>
            Leia o manifesto
          </a>
        </div>
        <SignatureForm
          endpoint={signCampaign}
          params={{ slug }}
          share={{ text: campaign.ogTitle ?? campaign.titulo, url: `${publicUrl}${path}` }}
          versaoManifesto={campaign.versaoManifesto}
          onSigned={() => addOneSignature(store, count)}
        />
      </div>
    </Framed>
  )
}
