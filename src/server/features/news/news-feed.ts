// The Atom feed (RFC 4287) of the news of a campaign.
import { fillPath } from '#contract/endpoint.ts'
import { newsPaths, type PublishedNews } from '#contract/news.ts'
import { escapeHtml } from '#server/core/escape-html.ts'
import { withAbsoluteUrls } from '#server/features/news/news-html.ts'

export const maxFeedEntries = 20

export interface NewsFeed {
  campaign: { id: number; slug: string; titulo: string; updatedAt: Date }
  /** The newest first. */
  news: PublishedNews[]
  movimento: string
  publicUrl: string
}

export function newsFeed({ campaign, news, movimento, publicUrl }: NewsFeed): string {
  const { slug, titulo } = campaign
  const addressOf = (path: string, n = '') => escapeXml(publicUrl + fillPath(path, { slug, n }))
  /** Tag URIs (RFC 4151) stay the same when a campaign is renamed. */
  const tagOf = (name: string) => escapeXml(`tag:${new URL(publicUrl).hostname},2026:${name}`)
  const times = news.map(({ alteradaEm }) => alteradaEm)
  const updated = times.toSorted().at(-1) ?? campaign.updatedAt.toISOString()

  const entries = news.flatMap((item) => {
    const image = item.imagem ? `<p><img src="${escapeHtml(item.imagem)}" alt=""></p>` : ''
    return [
      '<entry>',
      `<id>${tagOf(`novidade-${item.id}`)}</id>`,
      `<title>${escapeXml(item.titulo)}</title>`,
      `<published>${item.publicadaEm}</published>`,
      `<updated>${item.alteradaEm}</updated>`,
      `<link rel="alternate" type="text/html" href="${addressOf(newsPaths.item, String(item.n))}"/>`,
      `<summary>${escapeXml(item.resumo)}</summary>`,
      `<content type="html">${escapeXml(withAbsoluteUrls(image + item.html, publicUrl))}</content>`,
      '</entry>',
    ]
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="pt-BR">',
    `<id>${tagOf(`campanha-${campaign.id}`)}</id>`,
    `<title>${escapeXml(`Novidades: ${titulo}`)}</title>`,
    `<updated>${updated}</updated>`,
    `<author><name>${escapeXml(movimento)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${addressOf(newsPaths.feed)}"/>`,
    `<link rel="alternate" type="text/html" href="${addressOf(newsPaths.list)}"/>`,
    ...entries,
    '</feed>',
    '',
  ].join('\n')
}

/** Without the characters that XML 1.0 does not allow, not even escaped. */
const escapeXml = (text: string) =>
  escapeHtml(text.toWellFormed().replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ''))
