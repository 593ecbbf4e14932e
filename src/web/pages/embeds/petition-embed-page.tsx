// `/embed/{slug}`: the form of a stored campaign, embedded in another site.
import { campaignPath, signCampaign } from '#contract/campaigns.ts'
import { fillPath } from '#contract/endpoint.ts'
import { campaign as campaignQuery } from '#web/api/campaigns.ts'
import { useLiveCount } from '#web/api/live-count.ts'
import { useOutboundLinkProps, usePageContext } from '#web/api/page-context.ts'
import { addOneSignature, campaignCount } from '#web/api/petitions.ts'
import { useQuery, useStore } from '#web/api/store.ts'
import { LateSignature } from '#web/forms/late-signature.ts'
import { SignatureForm } from '#web/forms/signature-form.tsx'
import { Framed } from '#web/layout/framed.tsx'
import { CampaignResult } from '#web/pages/petitions/campaign-result.tsx'
import { Counter } from '#web/ui/counter.tsx'
import { Static } from '#web/ui/static.tsx'
import './embed.css'

export default function PetitionEmbedPage() {
  const { publicUrl, params, site } = usePageContext()
  const outboundProps = useOutboundLinkProps()
  const { slug = '' } = params
  const store = useStore()
  const count = campaignCount(slug)
  const campaign = useQuery(campaignQuery(slug)).data?.campaign
  const counted = useLiveCount(count, campaign?.countingMode)
  // The server does not render this page without its campaign.
  if (!campaign) return null

  const value = campaign.baseCount + (counted?.count ?? 0)
  const isOver = campaign.status !== 'live'
  // Shared links lead to the campaign's own page, which has the manifesto.
  const path = campaignPath(slug, site.deputado.slug)
  return (
    <Framed>
      <div className="embed">
        <div className="embed-head">
          <h1 id="titulo">{campaign.titulo}</h1>
          {campaign.subtitulo && <p className="embed-lead embed-subtitle">{campaign.subtitulo}</p>}
          <Counter
            value={value}
            isConfirmedOnly={campaign.countingMode === 'confirmed'}
            goal={isOver ? undefined : { slug, meta: campaign.meta, today: counted?.hoje ?? 0 }}
          />
          <a className="embed-more" href={path} {...outboundProps}>
            Leia o manifesto
          </a>
          {isOver && <LateSignature place="late-signature" path={fillPath(signCampaign.path, { slug })} />}
        </div>
        {isOver ? (
          <Static className="petition-result">
            {RENDERS_STATIC && <CampaignResult campaign={campaign} count={value} />}
          </Static>
        ) : (
          <SignatureForm
            endpoint={signCampaign}
            params={{ slug }}
            campaign={campaign}
            url={`${publicUrl}${path}`}
            onSigned={() => addOneSignature(store, count, campaign)}
          />
        )}
      </div>
    </Framed>
  )
}
