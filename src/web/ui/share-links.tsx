import { type Share, twitterShare, whatsAppShare } from '#contract/share.ts'
import { TwitterIcon, WhatsAppIcon } from '#web/ui/icons.tsx'
import { WhatsAppLink } from '#web/ui/whatsapp-link.tsx'
import './share-links.css'

interface ShareLinksProps extends Share {
  label: string
  framed?: boolean | undefined
}

/** The shared URL comes from the site settings, never from the address bar of the visitor. */
export function ShareLinks({ label, framed, ...share }: ShareLinksProps) {
  return (
    <ul className="share-links" aria-label={label}>
      <li>
        <WhatsAppLink className="button button-whatsapp" href={whatsAppShare(share)} framed={framed}>
          <WhatsAppIcon /> Compartilhar no WhatsApp
        </WhatsAppLink>
      </li>
      <li>
        <a className="button button-ink" href={twitterShare(share)} target="_blank" rel="noopener noreferrer">
          <TwitterIcon /> Compartilhar no Twitter
        </a>
      </li>
    </ul>
  )
}
