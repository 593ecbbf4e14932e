// sitemap.xml: every page of the route table that is not hidden, every active campaign and its news, each once.
import { fillPath } from '#contract/endpoint.ts'
import { newsPaths } from '#contract/news.ts'
import type { PageRoute } from '#contract/page.ts'
import type { App } from '#server/http/mount.ts'
import { type PreparedResponse, prepareResponse, sendPrepared } from '#server/http/response-cache.ts'

interface ListedCampaign {
  id: number
  slug: string
  updatedAt: Date
}

interface ListedNews {
  campaignId: number
  n: number
  updatedAt: Date
}

interface SitemapDeps {
  routes: PageRoute[]
  campaigns: { listed(): Promise<ListedCampaign[]> }
  news: { addresses(): Promise<ListedNews[]> }
  publicUrl: string
}

interface Entry {
  path: string
  lastmod?: Date | undefined
}

export function registerSitemap(app: App, { routes, campaigns, news, publicUrl }: SitemapDeps): void {
  const newsPages: string[] = [newsPaths.list, newsPaths.item]
  const indexed = routes.filter(({ path, hidden }) => !hidden && !newsPages.includes(path))
  const unsupported = indexed.find(({ path, campaign }) => path.includes(':') && !campaign)
  if (unsupported) throw new Error(`${unsupported.path}: the sitemap cannot fill its parameters`)

  function entries(listed: ListedCampaign[]): Entry[] {
    const remaining = new Map(listed.map(({ slug, updatedAt }) => [slug, updatedAt]))
    // Campaigns with a fixed path come first; the others are listed by slug.
    const fixedPages = indexed
      .filter(({ path }) => !path.includes(':'))
      .flatMap(({ path, campaign }): Entry[] => {
        if (!campaign) return [{ path }]
        const slug = campaign({})
        const lastmod = remaining.get(slug)
        return remaining.delete(slug) ? [{ path, lastmod }] : []
      })
    const campaignPages = indexed
      .filter(({ path }) => path.includes(':'))
      .flatMap(({ path }) => [...remaining].map(([slug, lastmod]) => ({ path: fillPath(path, { slug }), lastmod })))
    return [...fixedPages, ...campaignPages]
  }

  /** Without the lists of campaigns that have no news. */
  function newsEntries(listed: ListedCampaign[], published: ListedNews[]): Entry[] {
    const byCampaign = Map.groupBy(published, ({ campaignId }) => campaignId)
    return listed.flatMap(({ id, slug }) => {
      const items = byCampaign.get(id) ?? []
      const lastmod = items.map(({ updatedAt }) => updatedAt).reduce((a, b) => (a > b ? a : b), new Date(0))
      const list = { path: fillPath(newsPaths.list, { slug }), lastmod }
      const pages = items.map(({ n, updatedAt }) => ({
        path: fillPath(newsPaths.item, { slug, n: String(n) }),
        lastmod: updatedAt,
      }))
      return items.length > 0 ? [list, ...pages] : []
    })
  }

  async function sitemap(): Promise<PreparedResponse> {
    const [listed, published] = await Promise.all([campaigns.listed(), news.addresses()])
    const urls = [...entries(listed), ...newsEntries(listed, published)].map(
      ({ path, lastmod }) =>
        `<url><loc>${publicUrl}${path}</loc>${lastmod ? `<lastmod>${lastmod.toISOString()}</lastmod>` : ''}</url>`,
    )
    return prepareResponse({
      status: 200,
      isCacheable: true,
      body: `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`,
      headers: {
        ...app.commonHeaders,
        'Content-Type': 'application/xml; charset=utf-8',
        'Cache-Control': 'public, max-age=3600',
      },
    })
  }
  app.get('/sitemap.xml', { config: { access: 'anyone' } }, async (request, reply) =>
    sendPrepared(request, reply, await app.responses.get('/sitemap.xml', sitemap)),
  )

  // Nothing is disallowed: private pages have `noindex`, and a list would only reveal their paths.
  app.get('/robots.txt', { config: { access: 'anyone' } }, (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('Cache-Control', 'public, max-age=3600')
      .send(`User-agent: *\nAllow: /\n\nSitemap: ${publicUrl}/sitemap.xml\n`),
  )
}
