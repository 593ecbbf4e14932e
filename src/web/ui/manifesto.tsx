// A campaign's manifesto. The server sanitises it on the way out, whatever is stored.
import './manifesto.css'

interface HtmlPolicy {
  createHTML(html: string): string
}

// The browser admits stored HTML only through this one named door.
const policy = (
  globalThis as { trustedTypes?: { createPolicy(name: string, rules: HtmlPolicy): HtmlPolicy } }
).trustedTypes?.createPolicy('mobiliza', { createHTML: (html) => html })

export function Manifesto({ html }: { html: string }) {
  const trusted = policy ? policy.createHTML(html) : html
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the one place where stored HTML is drawn; it arrives sanitised
  return <div className="manifesto" dangerouslySetInnerHTML={{ __html: trusted }} />
}
