// The document of the admin area: the same for all its addresses, empty until its own scripts draw it.
import type { Site } from '#contract/site.ts'
import type { App } from '#server/http/mount.ts'
import { adminPolicy, documentHeaders } from '#server/http/security-headers.ts'
import { escapeHtml, scriptSafe } from '#server/ssr/document.ts'
import type { Renderer } from '#server/ssr/renderer.ts'

export interface AdminPageDeps {
  renderer: Renderer
  site: Site
}

export function adminPageRoutes(app: App, { renderer, site }: AdminPageDeps): void {
  const { script, preloads, styles } = renderer.adminAssets
  const html = [
    '<!doctype html><html lang="pt-BR"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>Administração | ${escapeHtml(site.movimento)}</title>`,
    '<meta name="robots" content="noindex">',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    ...styles.map((file) => `<link rel="stylesheet" href="${file}">`),
    renderer.prelude ?? '',
    ...preloads.map((file) => `<link rel="modulepreload" href="${file}">`),
    `<script type="module" src="${script}"></script>`,
    '</head><body><div id="admin"></div>',
    '<noscript><p>A área administrativa precisa de JavaScript. O site público funciona sem ele.</p></noscript>',
    `<script id="site" type="application/json">${scriptSafe(JSON.stringify(site))}</script>`,
    '</body></html>',
  ].join('')
  const { 'Speculation-Rules': _, ...headers } = documentHeaders

  for (const url of ['/admin', '/admin/*'])
    app.get(url, { config: { access: 'anyone' } }, (_request, reply) =>
      reply
        .headers({
          ...headers,
          'Content-Security-Policy': renderer.policy ?? adminPolicy,
          // Its files change their names with every version: an older document would ask for what is gone.
          'Cache-Control': 'no-cache',
        })
        .type('text/html; charset=utf-8')
        .send(html),
    )
}
