// The e-mail of a news item. It is written once; for each recipient only the greeting and the unsubscribe link change.
import { randomUUID } from 'node:crypto'
import { fillPath } from '#contract/endpoint.ts'
import { newsOrigin, newsPaths } from '#contract/news.ts'
import { urlFrom } from '#contract/share.ts'
import { escapeHtml } from '#server/core/escape-html.ts'
import { beginningOf, htmlToText } from '#server/core/html-to-text.ts'
import { parseRichText } from '#server/core/rich-text-blocks.ts'
import { sentLink } from '#server/core/sent-link.ts'
import { imagePath } from '#server/db/media.ts'
import { themeColors } from '#server/outbox/email/email-colors.ts'
import { type Block, contentWidth, renderHtml, renderText } from '#server/outbox/email/email-layout.ts'
import { greeting } from '#server/outbox/email/email-templates.ts'
import { richTextHtml } from '#server/outbox/email/rich-text-html.ts'

interface NewsEmailParts {
  news: {
    id: number
    /** The last part of the address of its page. */
    n: number | null
    titulo: string
    html: string
    imagem: string | null
    onPage: boolean
  }
  campaign: {
    slug: string
    titulo: string
    subtitulo: string | null
    themeColor: string
    /** The path of its page. */
    path: string
  }
  movimento: string
  publicUrl: string
}

interface NewsRecipient {
  nome: string
  unsubscribeUrl: string
}

/** Writes the e-mail for one recipient. */
export type NewsEmail = ReturnType<typeof prepareNewsEmail>

const previewLength = 140
const [seeCampaign, openNews] = ['Ver a campanha', 'Abrir esta novidade']

export function prepareNewsEmail({ news, campaign, movimento, publicUrl }: NewsEmailParts) {
  const origin = newsOrigin(news.id)
  const campaignUrl = urlFrom(publicUrl + campaign.path, origin)
  const newsPath =
    news.onPage && news.n !== null ? fillPath(newsPaths.item, { slug: campaign.slug, n: String(news.n) }) : undefined
  const newsUrl = newsPath && urlFrom(publicUrl + newsPath, origin)
  const image = news.imagem && emailImage(news.imagem, publicUrl)
  const subject = news.titulo.replace(/\s+/g, ' ').trim()
  const resolveLink = (href: string) => sentLink(href, { publicUrl, origin })
  const richText: Block = {
    kind: 'html',
    html: richTextHtml(parseRichText(news.html), {
      resolveLink,
      resolveImage: (src) => emailImage(src, publicUrl),
      imageWidth: contentWidth,
      accent: themeColors(campaign.themeColor).background,
    }),
    text: htmlToText(news.html, resolveLink),
  }
  const slots = { greeting: randomUUID(), unsubscribeUrl: randomUUID() }
  const blocks: (Block | '' | null | undefined)[] = [
    // The alternative text names the target of the link, because the title above the image describes the content.
    image && {
      kind: 'image',
      src: image,
      ...(newsUrl ? { alt: openNews, href: newsUrl } : { alt: seeCampaign, href: campaignUrl }),
    },
    { kind: 'text', text: slots.greeting },
    richText,
    { kind: 'quote', title: campaign.titulo, text: campaign.subtitulo },
    { kind: 'button', link: { label: seeCampaign, href: campaignUrl } },
    newsUrl && {
      kind: 'links',
      text: 'Para ler no site ou compartilhar:',
      links: [{ label: openNews, href: newsUrl }],
    },
  ]
  const content = {
    subject,
    preview: beginningOf(news.html, previewLength),
    title: subject,
    theme: campaign.themeColor,
    blocks: blocks.filter((block) => !!block),
  }
  const footer = {
    movimento,
    siteUrl: publicUrl,
    unsubscribeUrl: slots.unsubscribeUrl,
    why: `Você recebe este e-mail porque pediu novidades no site do ${movimento} e confirmou o seu endereço.`,
  }
  const order = [slots.greeting, slots.unsubscribeUrl]
  const fillHtml = template(renderHtml(content, footer), order)
  const fillText = template(renderText(content, footer), order)

  return ({ nome, unsubscribeUrl }: NewsRecipient) => {
    const values = [greeting(nome), unsubscribeUrl]
    return { subject, html: fillHtml(values.map(escapeHtml)), text: fillText(values) }
  }
}

/** Splits the text at its slots, each of which occurs once and in this order. */
function template(text: string, slots: readonly string[]) {
  const parts: string[] = []
  let rest = text
  for (const slot of slots) {
    const [before = '', ...after] = rest.split(slot)
    if (after.length !== 1) throw new Error('A slot of an e-mail must occur once')
    parts.push(before)
    rest = after.join('')
  }
  return (values: readonly string[]) => parts.map((part, index) => part + (values[index] ?? '')).join('') + rest
}

/** Mail programs do not show WebP. Every image is also stored as PNG, and some as JPEG for shared links. */
function emailImage(path: string, publicUrl: string): string | undefined {
  const sha256 = imagePath.exec(path)?.[1]
  if (!sha256) return undefined
  return `${publicUrl}/media/${sha256}${path.endsWith('.og.jpg') ? '.og.jpg' : '.png'}`
}
