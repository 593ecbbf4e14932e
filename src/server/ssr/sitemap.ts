// What search engines should read: every page of the route table that is not hidden, and every active campaign, each once.
import { fillPath } from '#contract/endpoint.ts'
import type { PageRoute } from '#contract/page.ts'
import type { App } from '#server/http/mount.ts'

interface ListedCampaign {
  slug: string
  updatedAt: Date
}

export interface SitemapDeps {
  routes: PageRoute[]
  campaigns: { listed(): Promise<ListedCampaign[]> }
  publicUrl: string
}

interface Entry {
  path: string
  lastmod?: Date | undefined
}

export function sitemapRoutes(app: App, { routes, campaigns, publicUrl }: SitemapDeps): void {
  const indexed = routes.filter(({ hidden }) => !hidden)
  const stranger = indexed.find(({ path, campaign }) => path.includes(':') && !campaign)
  if (stranger) throw new Error(`${stranger.path}: the sitemap does not know what its names stand for`)

  function entries(listed: ListedCampaign[]): Entry[] {
    const left = new Map(listed.map(({ slug, updatedAt }) => [slug, updatedAt]))
    // Pages of their own come first: what is left is found under its slug.
    const own = indexed
      .filter(({ path }) => !path.includes(':'))
      .flatMap(({ path, campaign }): Entry[] => {
        if (!campaign) return [{ path }]
        const slug = campaign({})
        const lastmod = left.get(slug)
        return left.delete(slug) ? [{ path, lastmod }] : []
      })
    const others = indexed
      .filter(({ path }) => path.includes(':'))
      .flatMap(({ path }) => [...left].map(([slug, lastmod]) => ({ path: fillPath(path, { slug }), lastmod })))
    return [...own, ...others]
  }

  app.get('/sitemap.xml', { config: { access: 'anyone' } }, async (_request, reply) => {
    const urls = entries(await campaigns.listed()).map(
      ({ path, lastmod }) =>
        `<url><loc>${publicUrl}${path}</loc>${lastmod ? `<lastmod>${lastmod.toISOString()}</lastmod>` : ''}</url>`,
    )
    return reply
      .type('application/xml; charset=utf-8')
      .header('Cache-Control', 'public, max-age=3600')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`,
      )
  })

  // Nothing is forbidden here: what is not for search engines says so itself, and a list would only show where to look.
  app.get('/robots.txt', { config: { access: 'anyone' } }, (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('Cache-Control', 'public, max-age=3600')
      .send(`User-agent: *\nAllow: /\n\nSitemap: ${publicUrl}/sitemap.xml\n`),
  )
}
