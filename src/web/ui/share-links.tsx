// Passing a page on. Addresses come from the site's own settings, never from what the visitor's address bar happens to hold.
import { type Share, twitterShare, whatsAppShare } from '#contract/share.ts'
import { TwitterIcon, WhatsAppIcon } from '#web/ui/icons.tsx'
import './share-links.css'

interface ShareLinksProps extends Share {
  label: string
  /** `target` and `rel` of the link to WhatsApp. */
  whatsAppTab: object
}

export function ShareLinks({ label, whatsAppTab, ...share }: ShareLinksProps) {
  return (
    <ul className="share-links" aria-label={label}>
      <li>
        <a className="button button-whatsapp" href={whatsAppShare(share)} {...whatsAppTab}>
          <WhatsAppIcon /> Compartilhar no WhatsApp
        </a>
      </li>
      <li>
        <a className="button button-ink" href={twitterShare(share)} target="_blank" rel="noopener noreferrer">
          <TwitterIcon /> Compartilhar no Twitter
        </a>
      </li>
    </ul>
  )
}
