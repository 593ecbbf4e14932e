// The documents of the admin area: one for all its addresses, and one for the preview in it; empty until their own scripts draw them.
import { adminAddresses } from '#contract/admin/addresses.ts'
import { previewPath } from '#contract/admin/campaigns.ts'
import type { Site } from '#contract/site.ts'
import type { App } from '#server/http/mount.ts'
import { adminPolicy, documentHeaders, previewPolicy } from '#server/http/security-headers.ts'
import { escapeHtml, scriptSafe } from '#server/ssr/document.ts'
import type { AreaAssets, Renderer } from '#server/ssr/renderer.ts'

export interface AdminPageDeps {
  renderer: Renderer
  site: Site
  publicUrl: string
}

export function adminPageRoutes(app: App, { renderer, site, publicUrl }: AdminPageDeps): void {
  const { build, prelude = '', policy, adminAssets, previewAssets } = renderer
  const { 'Speculation-Rules': _, ...headers } = documentHeaders

  function compose(title: string, { script, preloads, styles }: AreaAssets, given: unknown): string {
    return [
      `<!doctype html><html lang="pt-BR" data-versao="${build}"><head><meta charset="utf-8">`,
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      `<title>${title} | ${escapeHtml(site.movimento)}</title>`,
      '<meta name="robots" content="noindex">',
      '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
      ...styles.map((file) => `<link rel="stylesheet" href="${file}">`),
      prelude,
      ...preloads.map((file) => `<link rel="modulepreload" href="${file}">`),
      `<script type="module" src="${script}"></script>`,
      '</head><body><div id="admin"></div>',
      '<noscript><p>A área administrativa precisa de JavaScript. O site público funciona sem ele.</p></noscript>',
      `<script id="site" type="application/json">${scriptSafe(JSON.stringify(given))}</script>`,
      '</body></html>',
    ].join('')
  }

  function serve(urls: readonly string[], html: string, ownPolicy: string): void {
    for (const url of urls)
      app.get(url, { config: { access: 'anyone' } }, (_request, reply) =>
        reply
          .headers({
            ...headers,
            'Content-Security-Policy': policy ?? ownPolicy,
            // Its files change their names with every version: an older document would ask for what is gone.
            'Cache-Control': 'no-cache',
          })
          .type('text/html; charset=utf-8')
          .send(html),
      )
  }

  serve(adminAddresses, compose('Administração', adminAssets, site), adminPolicy)
  serve([previewPath], compose('Prévia', previewAssets, { site, publicUrl }), previewPolicy)
}
