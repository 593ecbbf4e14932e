// Table of contents of the server: builds the application from its features. It does not listen.
import { join } from 'node:path'
import { createSubmissions } from '#server/db/submissions.ts'
import type { Deps } from '#server/deps.ts'
import { registerAdmin } from '#server/features/admin/routes.ts'
import { registerApiDocs } from '#server/features/api-docs/routes.ts'
import { registerApplications } from '#server/features/applications/routes.ts'
import { registerBrowserErrors } from '#server/features/browser-errors/routes.ts'
import { registerCampaigns } from '#server/features/campaigns/routes.ts'
import { registerCities } from '#server/features/cities/routes.ts'
import { registerContacts } from '#server/features/contacts/routes.ts'
import { registerContents } from '#server/features/contents/routes.ts'
import { registerConversations } from '#server/features/conversations/routes.ts'
import { registerDashboard } from '#server/features/dashboard/routes.ts'
import { registerEmailLinks } from '#server/features/email-links/routes.ts'
import { registerMedia } from '#server/features/media/routes.ts'
import { registerPublicNews } from '#server/features/news/public-routes.ts'
import { registerNews } from '#server/features/news/routes.ts'
import { registerNumbers } from '#server/features/numbers/routes.ts'
import { registerOwnData } from '#server/features/own-data/routes.ts'
import { registerPeople } from '#server/features/people/routes.ts'
import { registerPetitions } from '#server/features/petitions/routes.ts'
import { registerSite } from '#server/features/site/routes.ts'
import { registerSuppressions } from '#server/features/suppressions/routes.ts'
import { registerSystem } from '#server/features/system/routes.ts'
import { createApp } from '#server/http/create-app.ts'
import { registerHealth } from '#server/http/health.ts'
import { registerMetrics } from '#server/http/metrics.ts'
import type { App } from '#server/http/mount.ts'
import { registerNavigation } from '#server/http/navigation.ts'
import { createShareImages } from '#server/http/share-images.ts'
import { registerStaticFiles } from '#server/http/static-files.ts'
import { registerAdminPages } from '#server/ssr/admin-page.ts'
import { registerPages } from '#server/ssr/pages.ts'
import { buildFolder, type Renderer } from '#server/ssr/renderer.ts'
import { registerSitemap } from '#server/ssr/sitemap.ts'

export interface AppOptions {
  renderer: Renderer
  /** How often campaigns, counts and pages are refreshed while they are requested. */
  refreshMs?: number
  /** Minimum pause between two counts of cities and confirmations. */
  breakdownPauseMs?: number
  /** The clock of scheduled campaigns, and how often it is compared with the schedule. */
  now?: () => Date
  scheduleMs?: number
  /** Shows the operator, and nobody else, the generated password of the first administrator. */
  showFirstPassword?: (password: string) => void
}

export async function buildApp(deps: Deps, options: AppOptions): Promise<App> {
  const { renderer, refreshMs = 1_000, breakdownPauseMs = 5_000, showFirstPassword = printPassword } = options
  const { now = () => new Date(), scheduleMs = 2_000 } = options
  const { config, site, log, database, metrics, deliveries } = deps
  const app = await createApp(deps, { refreshMs })
  const onQueued = deliveries.wake
  const submissions = createSubmissions({ database, metrics, admitMailbox: app.admitMailbox, onQueued })
  const images = createShareImages(log)

  registerHealth(app, deps)
  registerMetrics(app, { metrics, database, token: config.metricsToken })
  // Before all routes of administrators: it provides their guard.
  registerAdmin(app, deps, { showFirstPassword, now })
  const petitions = registerPetitions(app, deps, { refreshMs })
  const { breakdown } = registerNumbers(app, deps, { pauseMs: breakdownPauseMs })
  const { campaigns } = registerCampaigns(app, deps, { petitions, breakdown, images, refreshMs, now, scheduleMs })
  const { publishedNews } = registerPublicNews(app, deps, { campaigns, refreshMs })
  const showNews = () => {
    publishedNews.expire()
    app.responses.invalidate()
  }
  registerNews(app, deps, { now, scheduleMs, onPublicChange: showNews })
  registerContacts(app, submissions)
  registerApplications(app, deps, submissions)
  registerEmailLinks(app, deps, petitions)
  registerSuppressions(app, deps)
  registerSystem(app, deps)
  registerDashboard(app, deps, { refreshMs })
  const { conversations } = registerConversations(app, deps)
  registerContents(app, deps)
  const { personErasure, reindexRecord } = registerPeople(app, deps, { petitions, conversationsOf: conversations.of })
  registerOwnData(app, deps, { petitions, personErasure, reindex: reindexRecord })
  registerBrowserErrors(app, deps)
  registerCities(app)
  registerMedia(app, deps)
  site.onChange(() => app.responses.invalidate())
  registerSite(app, deps, { images, campaigns, now })
  registerApiDocs(app, { site, publicUrl: config.publicUrl })
  await registerStaticFiles(app, join(buildFolder, 'browser'))
  registerNavigation(app, { workerFile: config.serviceWorker ? join(buildFolder, 'worker/sw.js') : undefined })

  await renderer.attach?.(app)
  const { publicUrl } = config
  const routes = await registerPages(app, {
    renderer,
    site,
    publicUrl,
    retention: config.retention,
    log,
    campaigns,
  })
  registerAdminPages(app, { renderer, site, publicUrl })
  registerSitemap(app, { routes, campaigns, news: publishedNews, publicUrl })
  return app
}

function printPassword(password: string): void {
  process.stdout.write(`\nSenha do primeiro administrador: ${password}\n`)
}
