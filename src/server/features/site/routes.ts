// Public routes of the site settings: share image, manifest, security.txt, and the redirect to a WhatsApp group.
import { siteImagePath } from '#contract/share.ts'
import type { Site } from '#contract/site.ts'
import { groupFor } from '#contract/site-settings.ts'
import type { ShareCard } from '#server/core/share-card.ts'
import type { Deps } from '#server/deps.ts'
import { registerSiteAdmin } from '#server/features/site/admin-routes.ts'
import { securityTxt, securityTxtPath } from '#server/features/site/security-txt.ts'
import { createStoredSettings } from '#server/features/site/stored-settings.ts'
import type { App } from '#server/http/mount.ts'
import { type ShareImages, sendShareImage } from '#server/http/share-images.ts'

interface GroupRequest {
  Params: { slug?: string }
  Querystring: { uf?: unknown }
}

interface SiteParts {
  images: ShareImages
  campaigns: {
    /** Also finds a campaign by one of its former slugs. */
    active(slug: string): Promise<{ slug: string }>
  }
  now: () => Date
}

export function registerSite(app: App, { config, database, site }: Deps, { images, campaigns, now }: SiteParts): void {
  registerSiteAdmin(app, createStoredSettings(database, site))

  app.get(siteImagePath, { config: { access: 'anyone' } }, async (request, reply) => {
    const { movimento, lema } = await site.current()
    const brand = await site.brand()
    const card: ShareCard = { titulo: movimento, tema: 'red', lema, chamada: 'Faça parte', ...brand }
    return sendShareImage(request, reply, await images.of(siteImagePath, card))
  })

  // The address comes from the settings alone, so it cannot be used to redirect elsewhere.
  for (const path of ['/grupo', '/grupo/:slug'])
    app.get<GroupRequest>(path, { config: { access: 'anyone' } }, async ({ params, query }, reply) => {
      const { settings } = await site.inEffect()
      const uf = typeof query.uf === 'string' ? query.uf.toUpperCase() : ''
      const { slug } = await campaigns.active(params.slug ?? '').catch(() => ({ slug: params.slug ?? '' }))
      // A header cannot contain all characters that a link may have.
      const { href } = new URL(groupFor(settings, { slug, uf }))
      return reply.header('Cache-Control', 'no-store').redirect(href, 302)
    })

  app.get('/manifest.webmanifest', { config: { access: 'anyone' } }, async (_request, reply) =>
    reply
      .type('application/manifest+json')
      .header('Cache-Control', 'public, max-age=3600')
      .send(manifestOf(await site.current())),
  )

  app.get(securityTxtPath, { config: { access: 'anyone' } }, async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('Cache-Control', 'public, max-age=3600')
      .send(securityTxt({ site: await site.current(), publicUrl: config.publicUrl, now: now() })),
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
