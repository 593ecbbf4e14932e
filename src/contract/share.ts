// What a shared link shows besides its words: a picture with the count in it, at an address that changes with what it says.
import type { Campaign } from '#contract/campaigns.ts'
import { fillPath } from '#contract/endpoint.ts'

export const shareSize = { width: 1200, height: 630, type: 'image/png' } as const

/** A campaign's own picture, as messengers take it: the size that they show, in a format that all of them read. */
export const sharePhoto = { ...shareSize, type: 'image/jpeg', ending: '.og.jpg' } as const

export interface ShareImage {
  /** Absolute, or a path of this site. */
  address: string
  alt: string
  /** Drawn by us, so `shareSize` holds. */
  drawn?: boolean
}

export const campaignImagePath = '/imagens/campanha/:slug.png'
export const siteImagePath = '/imagens/site.png'

/** The largest number of two digits and zeros that there are more signatures than; below a hundred a number does not invite. */
export function roundedCount(count: number): number | undefined {
  if (count <= 100) return undefined
  const step = 10 ** (String(count - 1).length - 2)
  return Math.floor((count - 1) / step) * step
}

/** "Mais de 18 mil assinaturas", which is true of any count that rounds to it. */
export function countInWords(count: number): string {
  const rounded = roundedCount(count)
  if (rounded === undefined) return 'Falta a sua assinatura'
  return `Mais de ${amount(rounded)} assinaturas`
}

function amount(rounded: number): string {
  const digits = (value: number) => value.toLocaleString('pt-BR')
  if (rounded >= 2_000_000) return `${digits(rounded / 1_000_000)} milhões de`
  if (rounded >= 1_000_000) return `${digits(rounded / 1_000_000)} milhão de`
  if (rounded === 1_000) return 'mil'
  return rounded % 1_000 === 0 ? `${digits(rounded / 1_000)} mil` : digits(rounded)
}

/** The campaign's own picture if it has one, or else the one we draw. */
export function campaignImage(campaign: Campaign, movimento: string, count: number): ShareImage {
  const { slug, titulo, themeColor, ogImageUrl } = campaign
  if (ogImageUrl && URL.canParse(ogImageUrl, 'https://example.org')) return { address: ogImageUrl, alt: titulo }
  const version = `${roundedCount(count) ?? 0}-${digest([titulo, themeColor, movimento].join('\n'))}`
  return {
    address: `${fillPath(campaignImagePath, { slug })}?v=${version}`,
    alt: `${countInWords(count)}: ${titulo}`,
    drawn: true,
  }
}

export function siteImage(movimento: string, lema: string): ShareImage {
  return { address: `${siteImagePath}?v=${digest(`${movimento}\n${lema}`)}`, alt: `${movimento}: ${lema}`, drawn: true }
}

/** A few letters that change with the text (FNV-1a). */
function digest(text: string): string {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0).toString(36)
}

/** Ends with a mark of its own, or with the one that it lacks. */
export function asSentence(text: string): string {
  const trimmed = text.trim()
  return /[.!?…:;]["'”’»)]*$/.test(trimmed) ? trimmed : `${trimmed}.`
}

/** Passing a page on. Addresses come from the site's own settings, never from what a visitor's address bar happens to hold. */
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
export const telegramShare = ({ text, url }: Share) =>
  `https://t.me/share/url?url=${encodeURIComponent(url)}&text=${encodeURIComponent(text)}`
