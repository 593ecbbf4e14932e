import { originParameter } from '#contract/origin.ts'

interface LinkOptions {
  /** The address of this site, without a path. */
  publicUrl: string
  /** The origin of visitors who follow a link to a page of this site. */
  origin: string | null
}

/**
 * The absolute address of a link or image of a rich text, for e-mails and messages. Undefined if the address is not
 * allowed in them.
 */
export function sentLink(href: string, { publicUrl, origin }: LinkOptions): string | undefined {
  const url = URL.parse(href.trim(), publicUrl)
  if (!url) return undefined
  const isOurs = url.origin === publicUrl
  if (!isOurs) return url.protocol === 'https:' || url.protocol === 'mailto:' ? url.href : undefined
  if (origin && !url.pathname.startsWith('/media/')) url.searchParams.set(originParameter, origin)
  return url.href
}
