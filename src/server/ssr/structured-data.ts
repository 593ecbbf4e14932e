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
