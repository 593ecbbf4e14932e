// JSON-LD for search engines: the movement, and the articles of news.
import type { ShareTags } from '#contract/page.ts'
import type { Site } from '#contract/site.ts'

/** JSON-LD about the movement for search engines. It contains only facts that the home page shows. */
export function structuredData({ movimento, lema, perfis, logo = '/icones/any-512.png' }: Site, publicUrl: string) {
  const movement = { '@id': `${publicUrl}/#movimento` }
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'Organization',
        ...movement,
        name: movimento,
        slogan: lema,
        url: `${publicUrl}/`,
        logo: `${publicUrl}${logo}`,
        sameAs: Object.values(perfis),
      },
      { '@type': 'WebSite', name: movimento, url: `${publicUrl}/`, inLanguage: 'pt-BR', publisher: movement },
    ],
  }
}

/** JSON-LD about a news item. Undefined for other pages. */
export function articleData(
  { article, description, canonical, image }: ShareTags,
  { movimento }: Pick<Site, 'movimento'>,
  publicUrl: string,
) {
  if (!article) return undefined
  const { headline, publishedAt, modifiedAt } = article
  const publisher = { '@type': 'Organization', name: movimento, url: `${publicUrl}/` }
  return {
    '@context': 'https://schema.org',
    '@type': 'NewsArticle',
    headline,
    description,
    ...(image && { image: new URL(image.address, publicUrl).href }),
    datePublished: publishedAt,
    dateModified: modifiedAt,
    inLanguage: 'pt-BR',
    mainEntityOfPage: `${publicUrl}${canonical}`,
    author: publisher,
    publisher,
  }
}
