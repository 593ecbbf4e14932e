// Buttons to share the movement on WhatsApp, Facebook and Twitter, or by its URL.
import { useRef } from 'react'
import { facebookShare, twitterShare, whatsAppShare } from '#contract/share.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { CopyLink } from '#web/ui/copy-link.tsx'
import { FacebookIcon, TwitterIcon, WhatsAppIcon } from '#web/ui/icons.tsx'
import { newTab } from '#web/ui/new-tab.ts'
import { WhatsAppLink } from '#web/ui/whatsapp-link.tsx'
import './share-card.css'

export function ShareCard() {
  const { site, publicUrl, path } = usePageContext()
  const address = useRef<HTMLParagraphElement>(null)
  const share = { text: `${site.lema} ${site.hashtag}`, url: `${publicUrl}${path}` }
  return (
    <section className="share" aria-labelledby="compartilhe-titulo">
      <div className="card share-card">
        <div>
          <p className="sticker">Passe adiante</p>
          <h2 id="compartilhe-titulo">Chame mais um</h2>
          <p>Quem recebe de um amigo, abre. Mande para o grupo da família, do trabalho, da rua.</p>
          <p className="share-address" ref={address}>
            {share.url}
          </p>
        </div>
        <ul aria-label="Compartilhar o movimento">
          <li>
            <WhatsAppLink className="button button-whatsapp" href={whatsAppShare(share)}>
              <WhatsAppIcon /> Compartilhar no WhatsApp
            </WhatsAppLink>
          </li>
          <li>
            <a className="button" href={facebookShare(share)} {...newTab}>
              <FacebookIcon /> Compartilhar no Facebook
            </a>
          </li>
          <li>
            <a className="button button-ink" href={twitterShare(share)} {...newTab}>
              <TwitterIcon /> Compartilhar no Twitter
            </a>
          </li>
          <li className="share-copy">
            <CopyLink {...share} urlElement={address} />
          </li>
        </ul>
      </div>
    </section>
  )
}
