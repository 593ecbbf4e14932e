// Composes the HTML document of a rendered page: share tags, inlined style sheet, preloads and state for hydration.
import type { RenderedPage } from '#contract/page.ts'
import { sharePhoto, shareSize, siteImage } from '#contract/share.ts'
import type { Site } from '#contract/site.ts'
import { escapeHtml } from '#server/core/escape-html.ts'
import type { PageAssets } from '#server/ssr/renderer.ts'
import { articleData, structuredData } from '#server/ssr/structured-data.ts'

interface DocumentFrame {
  site: Site
  publicUrl: string
  /** State of the page as JSON. */
  state: string
  /** Id of the build that contains the scripts. */
  build: string
  /** Markup of the development server, inserted before all scripts. */
  prelude?: string
}

export function composeDocument(
  page: RenderedPage,
  assets: PageAssets,
  { site, publicUrl, state, build, prelude = '' }: DocumentFrame,
) {
  const { title, description, canonical, hidden, article, feed, image = siteImage(site) } = page.tags
  const isPhoto = image.address.endsWith(sharePhoto.ending)
  const { width, height, type } = image.drawn ? shareSize : isPhoto ? sharePhoto : {}
  const indexed = page.status === 200 && !hidden
  const url = `${publicUrl}${canonical}`
  const facts =
    indexed && (canonical === '/' ? structuredData(site, publicUrl) : articleData(page.tags, site, publicUrl))
  const tags: [attribute: 'name' | 'property', key: string, content: string | undefined][] = [
    ['name', 'description', description],
    ['name', 'robots', indexed ? undefined : 'noindex'],
    ['property', 'og:type', article ? 'article' : 'website'],
    ['property', 'article:published_time', article?.publishedAt],
    ['property', 'article:modified_time', article?.modifiedAt],
    ['property', 'og:site_name', site.movimento],
    ['property', 'og:locale', 'pt_BR'],
    ['property', 'og:title', title],
    ['property', 'og:description', description],
    ['property', 'og:url', url],
    ['property', 'og:image', new URL(image.address, publicUrl).href],
    ['property', 'og:image:width', width && String(width)],
    ['property', 'og:image:height', height && String(height)],
    ['property', 'og:image:type', type],
    ['property', 'og:image:alt', image.alt],
    ['name', 'twitter:card', 'summary_large_image'],
  ]
  // The development server delivers style sheets as scripts, so it cannot omit scripts.
  const scriptless = page.scriptless && !prelude
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    assets.font && `<link rel="preload" href="${assets.font}" as="font" type="font/woff2" crossorigin>`,
    assets.styles && `<style>${assets.styles}</style>`,
    ...tags.map(
      ([attribute, key, content]) => content && `<meta ${attribute}="${key}" content="${escapeHtml(content)}">`,
    ),
    page.status === 200 && `<link rel="canonical" href="${escapeHtml(url)}">`,
    feed &&
      `<link rel="alternate" type="application/atom+xml" title="${escapeHtml(feed.title)}" href="${escapeHtml(feed.path)}">`,
    '<meta name="theme-color" content="#C4122F">',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
    '<link rel="manifest" href="/manifest.webmanifest">',
    facts && `<script type="application/ld+json">${scriptSafe(JSON.stringify(facts))}</script>`,
    prelude,
    page.framable && `<script type="module" src="${assets.framed}"></script>`,
    page.passesOrigin && scriptless && `<script type="module" src="${assets.links}"></script>`,
    !scriptless &&
      `<script type="module" src="${assets.boot}" data-entrada="${assets.script}" data-antes="${assets.preloads.join(' ')}"></script>`,
  ]
  return [
    `<!doctype html><html lang="pt-BR" data-tema="${escapeHtml(page.theme)}" data-versao="${build}"><head>`,
    ...head.filter(Boolean),
    `</head><body><div id="pagina"${scriptless ? '' : ` data-rota="${escapeHtml(page.route)}" data-modulo="${assets.page}"`}>${page.html}</div>`,
    scriptless ? '' : `<script id="estado-da-pagina" type="application/json">${scriptSafe(state)}</script>`,
    '</body></html>',
  ].join('')
}

/** Escapes JSON so that it cannot close the script element around it. */
export function scriptSafe(json: string): string {
  return json.replaceAll('<', '\\u003c')
}
