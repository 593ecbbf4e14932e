import { trustedHtml } from '#web/ui/trusted-types.ts'
import './manifesto.css'

export function Manifesto({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: stored HTML, which the server sanitises in every reply
  return <div className="manifesto" dangerouslySetInnerHTML={{ __html: trustedHtml(html) }} />
}
