// The interest-rate petition: counter, form, reasons, and ways to pass it on.
import { interestRatePetition, signPetition } from '#contract/petitions.ts'
import { campaign as campaignQuery } from '#web/api/campaigns.ts'
import { addOneSignature, petitionCount } from '#web/api/petitions.ts'
import { useQuery, useStore } from '#web/api/store.ts'
import { useVisit } from '#web/api/visit.ts'
import { SignatureForm } from '#web/forms/signature-form.tsx'
import { Layout } from '#web/layout/layout.tsx'
import { Counter } from '#web/ui/counter.tsx'
import { Manifesto } from '#web/ui/manifesto.tsx'
import { ShareLinks } from '#web/ui/share-links.tsx'
import './petition-page.css'

export default function PetitionPage() {
  const { publicUrl, path } = useVisit()
  const store = useStore()
  const { data: count } = useQuery(petitionCount)
  const { data } = useQuery(campaignQuery(interestRatePetition.slug))
  const campaign = data?.campaign
  const title = campaign?.titulo ?? 'Petição'
  const share = { text: campaign?.ogTitle ?? title, url: `${publicUrl}${path}` }
  return (
    <Layout>
      <div className="petition">
        <div className="petition-hero">
          <p className="sticker">Abaixo-assinado</p>
          <h1>{title}</h1>
          {campaign?.subtitulo && <p className="petition-lead">{campaign.subtitulo}</p>}
          <Counter value={count?.count ?? interestRatePetition.baseCount} label="pessoas já assinaram" />
          <a className="button button-sign sign-bar" href="#assinar">
            Assinar
          </a>
        </div>
        <div className="petition-form">
          <SignatureForm endpoint={signPetition} share={share} onSigned={() => addOneSignature(store)} />
        </div>
        <div className="petition-reasons">
          {campaign && <Manifesto html={campaign.manifestoHtml} />}
          <section className="petition-share">
            <h2>Espalhe a petição</h2>
            <ShareLinks label="Compartilhar esta página" {...share} />
          </section>
        </div>
      </div>
    </Layout>
  )
}
