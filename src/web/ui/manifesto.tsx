// A campaign's manifesto. The server cleaned it when it was written and again when it was read.
import './manifesto.css'

export function Manifesto({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the one place where stored HTML is drawn; it arrives sanitised
  return <div className="manifesto" dangerouslySetInnerHTML={{ __html: html }} />
}
