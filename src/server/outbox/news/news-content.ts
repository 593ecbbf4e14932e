// The content of a news item, prepared once for all recipients and again after an edit.
import { campaignPath } from '#contract/campaigns.ts'
import { fillPath } from '#contract/endpoint.ts'
import { newsOrigin, newsPaths } from '#contract/news.ts'
import { originParameter } from '#contract/origin.ts'
import type { Site } from '#contract/site.ts'
import { newsWhatsAppText } from '#server/core/whatsapp-text.ts'
import type { Database } from '#server/db/database.ts'
import { type NewsEmail, prepareNewsEmail } from '#server/outbox/email/news-email.ts'

interface ContentRow {
  id: string
  number: number | null
  title: string
  html: string
  imageUrl: string | null
  onPage: boolean
  revision: number
  slug: string
  titulo: string
  subtitulo: string | null
  themeColor: string
}

export interface NewsContent {
  revision: number
  email: NewsEmail
  /** The public address with the origin of the news item: its page, or the page of the campaign. */
  link: string
  whatsApp: string
}

interface ContentDeps {
  database: Database
  publicUrl: string
}

/** Undefined if the news item does not exist. */
export async function readNewsContent(
  { database, publicUrl }: ContentDeps,
  id: number,
  site: Site,
): Promise<NewsContent | undefined> {
  const [row] = await database.query<ContentRow & object>(
    'news-content',
    `select n.id, number, title, html, "imageUrl", "onPage", revision, slug, titulo, subtitulo, "themeColor"
    from news n join campaigns c on c.id = n."campaignId" where n.id = $1`,
    [id],
  )
  if (!row) return undefined
  const { number, title, html, imageUrl, onPage, revision, slug, titulo, subtitulo, themeColor } = row
  const email = prepareNewsEmail({
    news: { id, n: number, titulo: title, html, imagem: imageUrl, onPage },
    campaign: { titulo, subtitulo, themeColor, slug, path: campaignPath(slug, site.deputado.slug) },
    movimento: site.movimento,
    publicUrl,
  })
  const isPublic = onPage && number !== null
  const path = isPublic ? fillPath(newsPaths.item, { slug, n: String(number) }) : campaignPath(slug, site.deputado.slug)
  const link = `${publicUrl}${path}?${originParameter}=${newsOrigin(id)}`
  return { revision, email, link, whatsApp: newsWhatsAppText({ titulo: title, html, link }) }
}

const maxCached = 20

/** Keeps the content of the news that are being sent. */
export function createNewsContents(deps: ContentDeps) {
  const cache = new Map<number, { site: Site; content: NewsContent }>()
  return {
    async of(id: number, revision: number, site: Site): Promise<NewsContent | undefined> {
      const cached = cache.get(id)
      if (cached?.content.revision === revision && cached.site === site) return cached.content
      const content = await readNewsContent(deps, id, site)
      if (cache.size >= maxCached) cache.clear()
      if (content) cache.set(id, { site, content })
      return content
    },
  }
}
