// Serves the admin area (one document for all its paths) and its preview. Both are empty until scripts render them.
import { previewPath } from '#contract/admin/campaigns.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import type { Site } from '#contract/site.ts'
import { escapeHtml } from '#server/core/escape-html.ts'
import type { SiteService } from '#server/db/site-settings.ts'
import type { App } from '#server/http/mount.ts'
import { adminPolicy, documentHeaders, previewPolicy } from '#server/http/security-headers.ts'
import { scriptSafe } from '#server/ssr/document.ts'
import type { AreaAssets, Renderer } from '#server/ssr/renderer.ts'

interface AdminPageDeps {
  renderer: Renderer
  site: Pick<SiteService, 'current'>
  publicUrl: string
}

export function registerAdminPages(app: App, { renderer, site, publicUrl }: AdminPageDeps): void {
  const { build, prelude = '', policy, adminAssets, previewAssets } = renderer
  const { 'Speculation-Rules': _, ...headers } = documentHeaders

  function compose(title: string, { script, preloads, styles }: AreaAssets, data: unknown): string {
    return [
      `<!doctype html><html lang="pt-BR" data-versao="${build}"><head><meta charset="utf-8">`,
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      `<title>${escapeHtml(title)}</title>`,
      '<meta name="robots" content="noindex">',
      '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
      ...styles.map((file) => `<link rel="stylesheet" href="${file}">`),
      prelude,
      ...preloads.map((file) => `<link rel="modulepreload" href="${file}">`),
      `<script type="module" src="${script}"></script>`,
      `</head><body><div id="admin" data-public-url="${escapeHtml(publicUrl)}"></div>`,
      '<noscript><p>A área administrativa precisa de JavaScript. O site público funciona sem ele.</p></noscript>',
      `<script id="site" type="application/json">${scriptSafe(JSON.stringify(data))}</script>`,
      '</body></html>',
    ].join('')
  }

  function serve(urls: readonly string[], render: (publicSite: Site) => string, ownPolicy: string): void {
    for (const url of urls)
      app.get(url, { config: { access: 'anyone' } }, async (_request, reply) => {
        const { botconversa: _, ...publicSite } = await site.current()
        return reply
          .headers({
            ...headers,
            'Content-Security-Policy': policy ?? ownPolicy,
            // File names change with every build: an outdated document would request files that no longer exist.
            'Cache-Control': 'no-cache',
          })
          .type('text/html; charset=utf-8')
          .send(render(publicSite))
      })
  }

  serve(
    Object.values(adminPaths),
    (publicSite) => compose(`Administração | ${publicSite.movimento}`, adminAssets, publicSite),
    adminPolicy,
  )
  serve(
    [previewPath],
    (publicSite) => compose(`Prévia | ${publicSite.movimento}`, previewAssets, { site: publicSite, publicUrl }),
    previewPolicy,
  )
}
