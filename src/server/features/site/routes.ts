import { siteImagePath } from '#contract/share.ts'
import type { Site } from '#contract/site.ts'
import type { ShareCard } from '#server/core/share-card.ts'
import type { App } from '#server/http/mount.ts'
import { type ShareImages, sendShareImage } from '#server/http/share-images.ts'

export function registerSite(app: App, { movimento, lema }: Site, images: ShareImages): void {
  const card: ShareCard = { titulo: movimento, tema: 'red', lema, chamada: 'Faça parte', movimento }
  app.get(siteImagePath, { config: { access: 'anyone' } }, async (request, reply) =>
    sendShareImage(request, reply, await images.of(siteImagePath, card)),
  )

  const manifest = JSON.stringify({
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
  app.get('/manifest.webmanifest', { config: { access: 'anyone' } }, (_request, reply) =>
    reply.type('application/manifest+json').header('Cache-Control', 'public, max-age=3600').send(manifest),
  )
}

function icon(size: number, purpose: 'any' | 'maskable') {
  return { src: `/icones/${purpose}-${size}.png`, sizes: `${size}x${size}`, type: 'image/png', purpose }
}
