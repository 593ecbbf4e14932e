// `/p/{slug}/novidades`: the news of a campaign, the newest first. The browser does not render it.
import { type Campaign, campaignPath } from '#contract/campaigns.ts'
import { fillPath } from '#contract/endpoint.ts'
import { type ListedNews, newsPaths } from '#contract/news.ts'
import { campaign as campaignQuery } from '#web/api/campaigns.ts'
import { newsList } from '#web/api/news.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { useQuery } from '#web/api/store.ts'
import { Layout } from '#web/layout/layout.tsx'
import { Poster } from '#web/layout/poster.tsx'
import { CampaignCall, NewsLinks } from '#web/pages/news/news-article.tsx'
import { Day } from '#web/ui/day.tsx'
import '#web/layout/poster.css'
import './news.css'

export default function NewsPage() {
  return <Layout>{RENDERS_STATIC && <NewsOfCampaign />}</Layout>
}

function NewsOfCampaign() {
  const { slug = '' } = usePageContext().params
  const campaign = useQuery(campaignQuery(slug)).data?.campaign
  const news = useQuery(newsList(slug)).data?.novidades ?? []
  return campaign ? <NewsList campaign={campaign} news={news} /> : null
}

function NewsList({ campaign, news }: { campaign: Campaign; news: ListedNews[] }) {
  const { site } = usePageContext()
  const { slug, titulo } = campaign
  const isLive = campaign.status === 'live'
  return (
    <>
      <div className={titulo.length > 60 ? 'news-top news-long' : 'news-top'}>
        <Poster sticker="Novidades" title={titulo} lead="O que já aconteceu e os próximos passos da campanha." />
      </div>
      <div className="news-page">
        {news.length === 0 ? (
          <p className="news-empty">
            Ainda não há novidades por aqui. {isLive ? 'Assine a campanha e volte para acompanhar.' : 'Volte em breve.'}
          </p>
        ) : (
          <ol className="news-list">
            {news.map((item) => (
              <li key={item.id} className="card">
                <Day of={item.publicadaEm} />
                <h2>
                  <a href={fillPath(newsPaths.item, { slug, n: String(item.n) })}>{item.titulo}</a>
                </h2>
                <p>{item.resumo}</p>
              </li>
            ))}
          </ol>
        )}
        <CampaignCall campaign={campaign} url={campaignPath(slug, site.deputado.slug)} />
        <NewsLinks slug={slug} />
      </div>
    </>
  )
}
