// Passing the movement on, through whatever people use.
import { useRef } from 'react'
import { facebookShare, twitterShare, whatsAppShare } from '#contract/share.ts'
import { useVisit } from '#web/api/visit.ts'
import { CopyLink } from '#web/ui/copy-link.tsx'
import { FacebookIcon, TwitterIcon, WhatsAppIcon } from '#web/ui/icons.tsx'
import { WhatsAppLink } from '#web/ui/whatsapp-link.tsx'
import './share-card.css'

const elsewhere = { target: '_blank', rel: 'noopener noreferrer' } as const

export function ShareCard() {
  const { site, publicUrl, path } = useVisit()
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
            <a className="button" href={facebookShare(share)} {...elsewhere}>
              <FacebookIcon /> Compartilhar no Facebook
            </a>
          </li>
          <li>
            <a className="button button-ink" href={twitterShare(share)} {...elsewhere}>
              <TwitterIcon /> Compartilhar no Twitter
            </a>
          </li>
          <li className="share-copy">
            <CopyLink {...share} shown={address} />
          </li>
        </ul>
      </div>
    </section>
  )
}
