// Public routes that show the identity of the site: the share image and the manifest of the installed page.
import { siteImagePath } from '#contract/share.ts'
import type { Site } from '#contract/site.ts'
import type { ShareCard } from '#server/core/share-card.ts'
import type { SiteService } from '#server/db/site-settings.ts'
import type { App } from '#server/http/mount.ts'
import { type ShareImages, sendShareImage } from '#server/http/share-images.ts'

export function registerSite(app: App, site: SiteService, images: ShareImages): void {
  app.get(siteImagePath, { config: { access: 'anyone' } }, async (request, reply) => {
    const { movimento, lema } = await site.current()
    const card: ShareCard = { titulo: movimento, tema: 'red', lema, chamada: 'Faça parte', movimento }
    return sendShareImage(request, reply, await images.of(siteImagePath, card))
  })

  app.get('/manifest.webmanifest', { config: { access: 'anyone' } }, async (_request, reply) =>
    reply
      .type('application/manifest+json')
      .header('Cache-Control', 'public, max-age=3600')
      .send(manifestOf(await site.current())),
  )
}

function manifestOf({ movimento, lema }: Site): string {
  return JSON.stringify({
    id: '/',
    name: movimento,
    short_name: movimento,
    description: lema,
    lang: 'pt-BR',
    dir: 'ltr',
    start_url: '/',
    scope: '/',
    // Shows the address, so that visitors can share it.
    display: 'minimal-ui',
    theme_color: '#C4122F',
    background_color: '#FFF8EC',
    icons: [icon(192, 'any'), icon(512, 'any'), icon(192, 'maskable'), icon(512, 'maskable')],
  })
}

function icon(size: number, purpose: 'any' | 'maskable') {
  return { src: `/icones/${purpose}-${size}.png`, sizes: `${size}x${size}`, type: 'image/png', purpose }
}
