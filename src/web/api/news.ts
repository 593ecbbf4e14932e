import { listNews, readNews } from '#contract/news.ts'
import type { Query } from '#web/api/store.ts'

export const newsList = (slug: string): Query<typeof listNews> => ({
  endpoint: listNews,
  params: { slug },
  staleMs: 5 * 60_000,
})

export const newsItem = (slug: string, n: string): Query<typeof readNews> => ({
  endpoint: readNews,
  params: { slug, n },
  staleMs: 5 * 60_000,
})
