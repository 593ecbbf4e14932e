// Ways to share a page: WhatsApp first. The others are rendered by the server, and loaded when they come into view.
import { urlFrom, whatsAppShare } from '#contract/share.ts'
import { WhatsAppIcon } from '#web/ui/icons.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import type { SharedPage } from '#web/ui/more-ways-to-share.tsx'
import { WhatsAppLink } from '#web/ui/whatsapp-link.tsx'
import './share-kit.css'

export const MoreWaysToShare = lazyPart<SharedPage & { withoutTwitter?: boolean }>(
  () => import('#web/ui/more-ways-to-share.tsx').then((module) => module.MoreWaysToShareLinks),
  { isInteractive: true },
)

interface ShareKitProps extends SharedPage {
  /** Class of the links. No other element of the page may have it. */
  place: string
  framed?: boolean | undefined
}

export function ShareKit({ framed, ...page }: ShareKitProps) {
  return (
    <>
      <WhatsAppLink
        className="button button-whatsapp share-first"
        href={whatsAppShare({ text: page.textFor('whatsapp'), url: urlFrom(page.url, 'whatsapp') })}
        framed={framed}
      >
        <WhatsAppIcon /> Compartilhar no WhatsApp
      </WhatsAppLink>
      <MoreWaysToShare {...page} />
    </>
  )
}
