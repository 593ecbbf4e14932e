// Passing a page on. Addresses come from the site's own settings, never from what the visitor's address bar happens to hold.
import { TwitterIcon, WhatsAppIcon } from '#web/ui/icons.tsx'
import './share-links.css'

export interface Share {
  text: string
  /** The whole address of the page. */
  url: string
}

export const whatsAppShare = ({ text, url }: Share) => `https://wa.me/?text=${encodeURIComponent(`${text}\n${url}`)}`
export const twitterShare = ({ text, url }: Share) =>
  `https://twitter.com/intent/tweet?text=${encodeURIComponent(text)}&url=${encodeURIComponent(url)}`
export const facebookShare = ({ url }: Pick<Share, 'url'>) =>
  `https://www.facebook.com/sharer/sharer.php?u=${encodeURIComponent(url)}`

export function ShareLinks({ label, ...share }: Share & { label: string }) {
  return (
    <ul className="share-links" aria-label={label}>
      <li>
        <a className="button button-whatsapp" href={whatsAppShare(share)} target="_blank" rel="noopener noreferrer">
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
