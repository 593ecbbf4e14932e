// A news item as a page. Only the server and the preview of the admin area render it.
import { type Campaign, campaignPath } from '#contract/campaigns.ts'
import { fillPath } from '#contract/endpoint.ts'
import { type ListedNews, newsOrigin, newsPaths, type PublishedNews } from '#contract/news.ts'
import { asSentence, urlFrom } from '#contract/share.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { Poster } from '#web/layout/poster.tsx'
import { Day } from '#web/ui/day.tsx'
import { Manifesto } from '#web/ui/manifesto.tsx'
import { ShareKit } from '#web/ui/share-kit.tsx'

interface NewsArticleProps {
  news: PublishedNews
  campaign: Pick<Campaign, 'slug' | 'titulo' | 'status'>
  newer?: ListedNews | undefined
  older?: ListedNews | undefined
}

export function NewsArticle({ news, campaign, newer, older }: NewsArticleProps) {
  const { site, publicUrl } = usePageContext()
  const { id, n, titulo, html, publicadaEm } = news
  const { slug } = campaign
  const campaignUrl = urlFrom(campaignPath(slug, site.deputado.slug), newsOrigin(id))
  const list = fillPath(newsPaths.list, { slug })
  const pathOf = (other: ListedNews) => `${list}/${other.n}`
  return (
    <>
      <div className={titulo.length > 60 ? 'news-top news-long' : 'news-top'}>
        <Poster
          sticker="Novidades"
          title={titulo}
          lead={
            <>
              <Day of={publicadaEm} />
              <br />
              <a href={campaignUrl}>{campaign.titulo}</a>
            </>
          }
        />
      </div>
      <div className="news-page">
        <article className="news-text" aria-label={titulo}>
          <NewsImage {...news} />
          <Manifesto html={html} />
        </article>
        <CampaignCall campaign={campaign} url={campaignUrl} />
        <section className="news-share">
          <h2>Passe adiante</h2>
          <ShareKit
            place="share-news"
            label="Compartilhar esta novidade"
            url={`${publicUrl}${list}/${n}`}
            textFor={() => `${asSentence(titulo)} Leia:`}
          />
        </section>
        <nav className="news-more" aria-label="Outras novidades">
          {(newer || older) && (
            <ul>
              {newer && (
                <li>
                  <a href={pathOf(newer)} rel="next">
                    <span>Mais nova</span> {newer.titulo}
                  </a>
                </li>
              )}
              {older && (
                <li>
                  <a href={pathOf(older)} rel="prev">
                    <span>Anterior</span> {older.titulo}
                  </a>
                </li>
              )}
            </ul>
          )}
          <NewsLinks slug={slug} withList />
        </nav>
      </div>
    </>
  )
}

/** Asks to sign, or shows the way to the result of a campaign that is over. */
export function CampaignCall({ campaign, url }: { campaign: NewsArticleProps['campaign']; url: string }) {
  const isLive = campaign.status === 'live'
  return (
    <aside className="news-call card" aria-label="Campanha">
      <p className="news-campaign">{campaign.titulo}</p>
      <a className="button button-sign" href={isLive ? `${url}#assinar` : url}>
        {isLive ? 'Assinar' : 'Ver a campanha'}
      </a>
    </aside>
  )
}

/** Links to the list of news and to its feed. */
export function NewsLinks({ slug, withList }: { slug: string; withList?: boolean }) {
  return (
    <p className="news-links">
      {withList && <a href={fillPath(newsPaths.list, { slug })}>Todas as novidades</a>}
      <a href={fillPath(newsPaths.feed, { slug })} type="application/atom+xml">
        Feed das novidades (Atom)
      </a>
    </p>
  )
}

/** With its dimensions, so that the browser reserves the space before the image arrives. */
function NewsImage({ imagem, imagemTamanho }: PublishedNews) {
  if (!imagem) return null
  const { largura = 0, altura } = imagemTamanho ?? {}
  return (
    <img
      className="news-image"
      src={imagem}
      srcSet={largura > 640 ? `${imagem.replace(/webp$/, '640.webp')} 640w, ${imagem} ${largura}w` : undefined}
      sizes="(min-width: 60rem) 40rem, 92vw"
      width={largura || undefined}
      height={altura}
      alt=""
    />
  )
}
