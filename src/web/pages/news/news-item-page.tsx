// `/p/{slug}/novidades/{n}`: a news item of a campaign. The browser does not render it.
import { campaign as campaignQuery } from '#web/api/campaigns.ts'
import { newsItem, newsList } from '#web/api/news.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { useQuery } from '#web/api/store.ts'
import { Layout } from '#web/layout/layout.tsx'
import { NewsArticle } from '#web/pages/news/news-article.tsx'
import '#web/layout/poster.css'
import '#web/ui/manifesto.css'
import '#web/ui/share-kit.css'
import './news.css'

export default function NewsItemPage() {
  return <Layout>{RENDERS_STATIC && <NewsItem />}</Layout>
}

function NewsItem() {
  const { slug = '', n = '' } = usePageContext().params
  const campaign = useQuery(campaignQuery(slug)).data?.campaign
  const news = useQuery(newsItem(slug, n)).data?.novidade
  const list = useQuery(newsList(slug)).data?.novidades ?? []
  if (!campaign || !news) return null
  const position = list.findIndex(({ id }) => id === news.id)
  const [newer, older] = position < 0 ? [] : [list[position - 1], list[position + 1]]
  return <NewsArticle {...{ news, campaign, newer, older }} />
}
