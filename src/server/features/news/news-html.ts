// Derived from the sanitized HTML of a news item, in which all attributes are in double quotes.
import { newsOrigin } from '#contract/news.ts'
import { originParameter } from '#contract/origin.ts'

const decoded = (value: string) => value.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
const encoded = (value: string) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** Files and calls, where an origin has no meaning. */
const noPage = /^\/(api|media|assets|imagens|icones)\//

/** Adds the origin of the news item to links to pages of this site. */
export function withOrigin(html: string, id: number, publicUrl: string): string {
  const { origin } = new URL(publicUrl)
  return html.replace(/<a href="([^"]*)"/g, (link, value: string) => {
    const href = decoded(value)
    const url = URL.canParse(href, publicUrl) ? new URL(href, publicUrl) : undefined
    const isPage = url?.origin === origin && !href.startsWith('#') && !noPage.test(url.pathname)
    if (!url || !isPage || url.searchParams.has(originParameter)) return link
    const anchorStart = href.indexOf('#')
    const address = anchorStart < 0 ? href : href.slice(0, anchorStart)
    const separator = address.includes('?') ? '&' : '?'
    const marked = `${address}${separator}${originParameter}=${newsOrigin(id)}${href.slice(address.length)}`
    return `<a href="${encoded(marked)}"`
  })
}

/** Makes addresses absolute, for readers outside the site. */
export function withAbsoluteUrls(html: string, publicUrl: string): string {
  return html.replace(/ (href|src)="(\/[^"]*)"/g, (_, name, path) => ` ${name}="${publicUrl}${path}"`)
}
