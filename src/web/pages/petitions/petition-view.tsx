// Page of a petition: headline, counter, form, manifesto and share links.
import { useEffect, useState } from 'react'
import type { Campaign } from '#contract/campaigns.ts'
import { type Endpoint, fillPath, type PathParams } from '#contract/endpoint.ts'
import { shareText } from '#contract/share.ts'
import { useLiveCount } from '#web/api/live-count.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { addOneSignature, type CountQuery } from '#web/api/petitions.ts'
import { useStore } from '#web/api/store.ts'
import { LateSignature } from '#web/forms/late-signature.ts'
import { SignatureForm } from '#web/forms/signature-form.tsx'
import { Layout } from '#web/layout/layout.tsx'
import { registerWorker } from '#web/offline/register-worker.ts'
import { CampaignNews } from '#web/pages/petitions/campaign-news.tsx'
import { CampaignResult } from '#web/pages/petitions/campaign-result.tsx'
import { Counter } from '#web/ui/counter.tsx'
import { Manifesto } from '#web/ui/manifesto.tsx'
import '#web/ui/manifesto.css'
import { formatNumber } from '#web/ui/format-number.ts'
import { ShareKit } from '#web/ui/share-kit.tsx'
import { Static } from '#web/ui/static.tsx'
import './petition-view.css'

interface PetitionViewProps {
  campaign: Campaign
  sticker: string
  count: CountQuery
  /** Added to the count; only for queries that do not include it. */
  baseCount?: number
  /** Displayed until the count is known. */
  firstCount?: number
  signing: Endpoint
  params?: PathParams
}

const endings = { closed: 'Encerrada', won: 'Vitória' }

export function PetitionView({
  campaign,
  sticker,
  count,
  baseCount = 0,
  firstCount = 0,
  signing,
  params,
}: PetitionViewProps) {
  const { publicUrl, path } = usePageContext()
  const store = useStore()
  const counted = useLiveCount(count, campaign.countingMode)
  useEffect(() => {
    // Not in the preview of the admin area: the worker would cache the page.
    if (parent === window) void registerWorker()
  }, [])
  const value = counted ? baseCount + counted.count : firstCount
  const url = `${publicUrl}${path}`
  // The browser has no code for a result. A page that was opened with the form keeps it.
  const [first] = useState(campaign.status)
  const status = RENDERS_STATIC ? campaign.status : first
  const isOver = status === 'closed' || status === 'won'
  return (
    <Layout>
      <div className="petition">
        <div className="petition-hero">
          <div className="petition-top">
            <p className="sticker">{isOver ? endings[status] : sticker}</p>
            <h1 className={campaign.titulo.length > 60 ? 'long-title' : undefined}>{campaign.titulo}</h1>
            {isOver && <LateSignature place="late-signature" path={fillPath(signing.path, params)} />}
            <Counter
              value={value}
              isConfirmedOnly={campaign.countingMode === 'confirmed'}
              goal={isOver ? undefined : { slug: campaign.slug, meta: campaign.meta, today: counted?.hoje ?? 0 }}
            />
          </div>
          {/* The sign button sticks to the window inside this part alone, so that it never covers the counter. */}
          <div className="petition-more">
            {campaign.baseCount > 0 && <p className="petition-before">{earlierSignaturesText(campaign.baseCount)}</p>}
            {campaign.subtitulo && <p className="petition-lead">{campaign.subtitulo}</p>}
            <HeroImage {...campaign} />
            <div className="sign-bar">
              <a className="button button-sign" href="#assinar">
                {isOver ? 'Ver o resultado' : 'Assinar'}
              </a>
            </div>
          </div>
        </div>
        <div className="petition-form">
          {isOver ? (
            <Static className="petition-result">
              {RENDERS_STATIC && <CampaignResult campaign={campaign} count={value} />}
            </Static>
          ) : (
            <SignatureForm
              endpoint={signing}
              campaign={campaign}
              url={url}
              onSigned={() => addOneSignature(store, count, campaign)}
              {...(params && { params })}
            />
          )}
        </div>
        <div className="petition-reasons">
          <Static className="petition-manifesto">
            {RENDERS_STATIC && <Manifesto html={campaign.manifestoHtml} />}
          </Static>
          <section className="petition-share">
            <h2>Espalhe a petição</h2>
            <ShareKit
              place="share-petition"
              label="Compartilhar esta página"
              url={url}
              textFor={(channel) => shareText(campaign, channel)}
            />
          </section>
          <Static className="petition-news">{RENDERS_STATIC && <CampaignNews slug={campaign.slug} />}</Static>
        </div>
      </div>
    </Layout>
  )
}

function earlierSignaturesText(baseCount: number): string {
  if (baseCount === 1) return 'Inclui 1 assinatura recolhida antes deste site.'
  return `Inclui ${formatNumber(baseCount)} assinaturas recolhidas antes deste site.`
}

/** With its dimensions, so that the browser reserves the space before the image arrives. */
function HeroImage({ heroImageUrl, heroImageSize }: Campaign) {
  if (!heroImageUrl) return null
  const { largura = 0, altura } = heroImageSize ?? {}
  return (
    <img
      className="petition-image"
      src={heroImageUrl}
      srcSet={
        largura > 640 ? `${heroImageUrl.replace(/webp$/, '640.webp')} 640w, ${heroImageUrl} ${largura}w` : undefined
      }
      sizes="(min-width: 60rem) 44rem, 100vw"
      width={largura || undefined}
      height={altura}
      alt=""
    />
  )
}
