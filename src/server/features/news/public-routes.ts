// Public news of campaigns: the calls of the pages, and the feed.
import { fillPath } from '#contract/endpoint.ts'
import { listNews, newsPaths, readNews } from '#contract/news.ts'
import type { Deps } from '#server/deps.ts'
import { maxFeedEntries, newsFeed } from '#server/features/news/news-feed.ts'
import { createPublishedNews } from '#server/features/news/published-news.ts'
import { Moved } from '#server/http/error-handler.ts'
import { type App, mount } from '#server/http/mount.ts'
import { prepareResponse, sendPrepared } from '#server/http/response-cache.ts'

interface PublicNewsParts {
  campaigns: {
    /** Also finds a campaign by a former slug. Fails for one that is not public. */
    active(slug: string): Promise<{ id: number; slug: string; titulo: string; updatedAt: Date }>
    onChange(listener: () => void): void
  }
  refreshMs: number
}

export function registerPublicNews(app: App, { database, log, site, config }: Deps, parts: PublicNewsParts) {
  const { campaigns, refreshMs } = parts
  const { publicUrl } = config
  const publishedNews = createPublishedNews({ database, log, campaigns, publicUrl, refreshMs })
  campaigns.onChange(publishedNews.expire)

  mount(app, listNews, async (_, { params }) => ({
    success: true,
    novidades: await publishedNews.list(params.slug),
  }))

  mount(app, readNews, async (_, { params }) => ({
    success: true,
    novidade: await publishedNews.read(params.slug, Number(params.n)),
  }))

  async function feedOf(requested: string) {
    const campaign = await campaigns.active(requested)
    if (campaign.slug !== requested) throw new Moved(fillPath(newsPaths.feed, { slug: campaign.slug }))
    const [news, { movimento }] = await Promise.all([publishedNews.list(campaign.slug, maxFeedEntries), site.current()])
    return prepareResponse({
      status: 200,
      isCacheable: true,
      body: newsFeed({ campaign, news, movimento, publicUrl }),
      headers: {
        ...app.commonHeaders,
        'Content-Type': 'application/atom+xml; charset=utf-8',
        'Cache-Control': 'public, max-age=300',
      },
    })
  }
  app.get<{ Params: { slug: string } }>(newsPaths.feed, { config: { access: 'anyone' } }, async (request, reply) => {
    const { slug } = request.params
    try {
      return sendPrepared(
        request,
        reply,
        await app.responses.get(fillPath(newsPaths.feed, { slug }), () => feedOf(slug)),
      )
    } catch (error) {
      if (!(error instanceof Moved)) throw error
      // Short, as for pages: a campaign may return to a former slug.
      return reply.header('Cache-Control', 'public, max-age=60').redirect(error.address, 301)
    }
  })
  return { publishedNews }
}
