// `/embed/{slug}`: the form of a stored campaign, embedded in another site.
import { campaignPath, signCampaign } from '#contract/campaigns.ts'
import { campaign as campaignQuery } from '#web/api/campaigns.ts'
import { useLiveCount } from '#web/api/live-count.ts'
import { useOutboundLinkProps, usePageContext } from '#web/api/page-context.ts'
import { addOneSignature, campaignCount } from '#web/api/petitions.ts'
import { useQuery, useStore } from '#web/api/store.ts'
import { SignatureForm } from '#web/forms/signature-form.tsx'
import { Framed } from '#web/layout/framed.tsx'
import { Counter } from '#web/ui/counter.tsx'
import './embed.css'

export default function PetitionEmbedPage() {
  const { publicUrl, params, site } = usePageContext()
  const outboundProps = useOutboundLinkProps()
  const { slug = '' } = params
  const store = useStore()
  const count = campaignCount(slug)
  const counted = useLiveCount(count) ?? 0
  const campaign = useQuery(campaignQuery(slug)).data?.campaign
  // The server does not render this page without its campaign.
  if (!campaign) return null

  // Shared links lead to the campaign's own page, which has the manifesto.
  const path = campaignPath(slug, site.deputado.slug)
  return (
    <Framed>
      <div className="embed">
        <div className="embed-head">
          <h1 id="titulo">{campaign.titulo}</h1>
          {campaign.subtitulo && <p className="embed-lead embed-subtitle">{campaign.subtitulo}</p>}
          <Counter value={campaign.baseCount + counted} />
          <a className="embed-more" href={path} {...outboundProps}>
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
