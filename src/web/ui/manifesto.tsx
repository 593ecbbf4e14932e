// A campaign's manifesto. The server sanitises it on the way out, whatever is stored.
import { trustedHtml } from '#web/ui/trusted.ts'
import './manifesto.css'

export function Manifesto({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the one place where stored HTML is drawn; it arrives sanitised
  return <div className="manifesto" dangerouslySetInnerHTML={{ __html: trustedHtml(html) }} />
}
