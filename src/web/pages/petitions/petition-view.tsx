// Page of a petition: headline, counter, form, manifesto and share links.
import { useEffect } from 'react'
import type { Campaign } from '#contract/campaigns.ts'
import type { Endpoint, PathParams } from '#contract/endpoint.ts'
import { useLiveCount } from '#web/api/live-count.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { addOneSignature, type CountQuery } from '#web/api/petitions.ts'
import { useStore } from '#web/api/store.ts'
import { SignatureForm } from '#web/forms/signature-form.tsx'
import { Layout } from '#web/layout/layout.tsx'
import { registerWorker } from '#web/offline/register-worker.ts'
import { Counter, numberFormat } from '#web/ui/counter.tsx'
import { Manifesto } from '#web/ui/manifesto.tsx'
import { ShareLinks } from '#web/ui/share-links.tsx'
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
  const counted = useLiveCount(count)
  useEffect(() => {
    // Not in the preview of the admin area: the worker would cache the page.
    if (parent === window) void registerWorker()
  }, [])
  const share = { text: campaign.ogTitle ?? campaign.titulo, url: `${publicUrl}${path}` }
  return (
    <Layout>
      <div className="petition">
        <div className="petition-hero">
          <div className="petition-top">
            <p className="sticker">{sticker}</p>
            <h1 className={campaign.titulo.length > 60 ? 'long-title' : undefined}>{campaign.titulo}</h1>
            <Counter value={counted === undefined ? firstCount : baseCount + counted} />
          </div>
          {/* The sign button sticks to the window inside this part alone, so that it never covers the counter. */}
          <div className="petition-more">
            {campaign.baseCount > 0 && <p className="petition-before">{earlierSignaturesText(campaign.baseCount)}</p>}
            {campaign.subtitulo && <p className="petition-lead">{campaign.subtitulo}</p>}
            <HeroImage {...campaign} />
            <div className="sign-bar">
              <a className="button button-sign" href="#assinar">
                Assinar
              </a>
            </div>
          </div>
        </div>
        <div className="petition-form">
          <SignatureForm
            endpoint={signing}
            share={share}
            versaoManifesto={campaign.versaoManifesto}
            onSigned={() => addOneSignature(store, count)}
            {...(params && { params })}
          />
        </div>
        <div className="petition-reasons">
          <Manifesto html={campaign.manifestoHtml} />
          <section className="petition-share">
            <h2>Espalhe a petição</h2>
            <ShareLinks label="Compartilhar esta página" {...share} />
          </section>
        </div>
      </div>
    </Layout>
  )
}

function earlierSignaturesText(baseCount: number): string {
  if (baseCount === 1) return 'Inclui 1 assinatura recolhida antes deste site.'
  return `Inclui ${numberFormat.format(baseCount)} assinaturas recolhidas antes deste site.`
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
