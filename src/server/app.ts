// What can be called, and by whom: every route of the server, read from top to bottom. Builds the application; does not listen.
import { join } from 'node:path'
import formbody from '@fastify/formbody'
import staticFiles from '@fastify/static'
import fastify from 'fastify'
import type { Orm } from '#server/db/database.ts'
import { createSubmissions } from '#server/db/submissions.ts'
import type { Deps } from '#server/deps.ts'
import { createDeeds } from '#server/features/admin/deeds.ts'
import { createDevices } from '#server/features/admin/devices.ts'
import { createFirstAccount } from '#server/features/admin/first-administrator.ts'
import { createLoginPace } from '#server/features/admin/login-pace.ts'
import { createRefusedPasswords } from '#server/features/admin/refused-passwords.ts'
import { adminRoutes } from '#server/features/admin/routes.ts'
import { createSessions } from '#server/features/admin/sessions.ts'
import { createTeam } from '#server/features/admin/team.ts'
import { teamRoutes } from '#server/features/admin/team-routes.ts'
import { createApplications } from '#server/features/applications/applications.ts'
import { applicationRoutes } from '#server/features/applications/routes.ts'
import { browserErrorRoutes } from '#server/features/browser-errors/routes.ts'
import { campaignAdminRoutes } from '#server/features/campaigns/admin-routes.ts'
import { createCampaigns } from '#server/features/campaigns/campaigns.ts'
import { campaignRoutes } from '#server/features/campaigns/routes.ts'
import { createStoredCampaigns } from '#server/features/campaigns/stored-campaigns.ts'
import { createVersions } from '#server/features/campaigns/versions.ts'
import { createContents } from '#server/features/carousel/contents.ts'
import { createManagedContents } from '#server/features/carousel/managed-contents.ts'
import { carouselRoutes } from '#server/features/carousel/routes.ts'
import { cityRoutes } from '#server/features/cities/routes.ts'
import { createContacts } from '#server/features/contacts/contacts.ts'
import { contactRoutes } from '#server/features/contacts/routes.ts'
import { createChatbot } from '#server/features/conversations/chatbot.ts'
import { createInbox } from '#server/features/conversations/inbox.ts'
import { conversationRoutes } from '#server/features/conversations/routes.ts'
import { createEmailLinks } from '#server/features/email-links/email-links.ts'
import { emailLinkRoutes } from '#server/features/email-links/routes.ts'
import { mediaRoutes } from '#server/features/media/routes.ts'
import { createCensus } from '#server/features/numbers/census.ts'
import { createNumbers } from '#server/features/numbers/numbers.ts'
import { numberRoutes } from '#server/features/numbers/routes.ts'
import { createErasure } from '#server/features/people/erasure.ts'
import { createExports } from '#server/features/people/exports.ts'
import { createPeople } from '#server/features/people/people.ts'
import { peopleRoutes } from '#server/features/people/routes.ts'
import { createSearchIndex } from '#server/features/people/search-index.ts'
import { removeSignature } from '#server/features/petitions/removal.ts'
import { petitionRoutes } from '#server/features/petitions/routes.ts'
import { createSignatures } from '#server/features/petitions/signatures.ts'
import { createTallies } from '#server/features/petitions/tallies.ts'
import { siteRoutes } from '#server/features/site/routes.ts'
import { systemRoutes } from '#server/features/system/routes.ts'
import { createSystem } from '#server/features/system/system.ts'
import { demandPolicies, openToAnyone } from '#server/http/access.ts'
import { watchConnections } from '#server/http/connections.ts'
import { createOriginCheck } from '#server/http/cross-site.ts'
import { answerClientError, sendRefusal } from '#server/http/error-handler.ts'
import { createGate } from '#server/http/gate.ts'
import { createAdminGuard, createSessionCheck } from '#server/http/guard.ts'
import { healthRoutes } from '#server/http/health.ts'
import { metricRoutes } from '#server/http/metrics.ts'
import { type App, requestIdOf } from '#server/http/mount.ts'
import { navigationRoutes } from '#server/http/navigation.ts'
import { addSecurityHeaders, securityHeaders } from '#server/http/security-headers.ts'
import { createShareImages } from '#server/http/share-images.ts'
import { takeTurns } from '#server/http/turns.ts'
import { adminPageRoutes } from '#server/ssr/admin-page.ts'
import { pageRoutes } from '#server/ssr/pages.ts'
import { buildFolder, type Renderer } from '#server/ssr/renderer.ts'
import { sitemapRoutes } from '#server/ssr/sitemap.ts'

export interface AppOptions {
  renderer: Renderer
  /** How often campaigns, counts and pages are read again while people visit. */
  refreshMs?: number
  /** Between two countings of cities and confirmations, at least. */
  censusPauseMs?: number
  /** Shows the operator, and nobody else, a password that was made for the first administrator. */
  tellFirstPassword?: (password: string) => void
}

/** What other people's pages load, so their policies must be able to admit it. */
const forOtherSites = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' }

// Their names carry a digest of their content.
const forEver = 'public, max-age=31536000, immutable'

export async function buildApp(
  { config, site, log, database, metrics, limits, rush, deliveries, spreadsheet, removals }: Deps,
  { renderer, refreshMs = 1_000, censusPauseMs = 5_000, tellFirstPassword = printPassword }: AppOptions,
): Promise<App> {
  const commonHeaders = securityHeaders(config.publicUrl)
  const app: App = fastify({
    // The framework's own words may quote an address, and a logger costs every answer two listeners. What fails is told by `noteFailure`.
    logger: false,
    bodyLimit: 64 * 1024,
    trustProxy: config.trustProxy,
    genReqId: requestIdOf,
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    // Who sends a request drop by drop, reads nothing of its answer or stays without a word is let go before it costs others their place.
    requestTimeout: 15_000,
    // Two of these pass before Node believes that a client reads nothing: the first may have sent a part.
    connectionTimeout: 10_000,
    // A proxy must be the first to end a connection that it keeps for the next visitor.
    keepAliveTimeout: config.trustProxy ? 75_000 : 15_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5_000 },
    // What the framework refuses by itself never meets our hooks.
    frameworkErrors: (error, request, reply) => sendRefusal(error, request, reply.headers(commonHeaders)),
    clientErrorHandler: answerClientError,
    return503OnClosing: true,
    routerOptions: { ignoreTrailingSlash: true },
  })
  demandPolicies(app, createOriginCheck(config.publicUrl))
  takeTurns(app, { commonHeaders, metrics })
  watchConnections(app)
  app.decorate('calls', new Map())
  app.decorate('commonHeaders', commonHeaders)
  app.decorate('gate', createGate({ limits, metrics }))
  app.decorate('noteFailure', (error, { id, routeOptions }) =>
    log.error({ err: error, requestId: id, route: routeOptions.url }, 'unexpected failure'),
  )
  app.setErrorHandler(sendRefusal)
  addSecurityHeaders(app)
  await app.register(formbody)

  const onQueued = deliveries.wake
  const signatures = createSignatures({ database, log, metrics, limits, rush, onQueued })
  const tallies = createTallies(database, log, refreshMs)
  const campaigns = createCampaigns(database, log, refreshMs)
  campaigns.onChange(tallies.expire)
  campaigns.onChange(() => app.expirePages())
  const submissions = createSubmissions({ database, metrics, limits, onQueued })
  const images = createShareImages(log)
  const census = createCensus({ database, log, rush, leastPauseMs: censusPauseMs })
  const takeBack = async (id: string, inTransaction?: (tx: Orm) => Promise<void>) => {
    await removals.append('removed', id)
    return removeSignature(database, id, { onQueued, inTransaction })
  }
  // Accepted signatures are committed before the connections close.
  app.addHook('onClose', () => signatures.close())

  const deeds = createDeeds(database)
  const refused = createRefusedPasswords(deeds.record, log)
  app.addHook('onClose', () => refused.settle())
  const sessions = createSessions(database, refused.note)
  const pace = createLoginPace()
  app.decorate('requireAdministrator', createAdminGuard(sessions.holderOf))
  app.decorate('sessionIsOpen', createSessionCheck(sessions.holderOf))
  app.decorateRequest('holdsToken', false)
  app.decorateRequest('administrator', null)
  app.decorate('recordDeed', deeds.record)
  app.decorateRequest('upload', null)

  const searchIndex = createSearchIndex({ database, log, rush })
  const people = createPeople({ database, index: searchIndex, config })
  app.addHook('onReady', async () => searchIndex.start())
  app.addHook('onClose', () => searchIndex.stop())

  healthRoutes(app, { database })
  metricRoutes(app, { metrics, database, token: config.metricsToken })
  petitionRoutes(app, { signatures, tallies }, site)
  campaignRoutes(app, { signatures, tallies, campaigns, images }, site)
  campaignAdminRoutes(app, {
    stored: createStoredCampaigns({ database, tallies, shown: campaigns, site }),
    versions: createVersions({ database, tallies, census }),
    images,
    site,
  })
  contactRoutes(app, { contacts: createContacts(submissions) })
  applicationRoutes(app, { applications: createApplications(submissions, config, log) })
  emailLinkRoutes(app, {
    links: createEmailLinks({ database, log, removals, removeSignature: takeBack, onQueued }),
  })
  adminRoutes(app, {
    sessions,
    devices: createDevices(database),
    pace,
    firstAccount: createFirstAccount(database, config.admin, tellFirstPassword),
  })
  teamRoutes(app, { team: createTeam(database), sessions, pace, deeds, refused })
  systemRoutes(app, { system: createSystem({ config, site, log, database, deliveries, spreadsheet }), deliveries })
  numberRoutes(app, { numbers: createNumbers({ database, census, log }) })
  const inbox = createInbox(database)
  conversationRoutes(app, { chatbot: createChatbot({ database, metrics }), inbox }, { config, site })
  carouselRoutes(app, { contents: createContents(database, log), managed: createManagedContents(database) })
  peopleRoutes(app, {
    people,
    erasure: createErasure({
      database,
      removals,
      removeSignature: takeBack,
      forgetEmails: deliveries.forgetLocalEmails,
      onQueued,
    }),
    exports: createExports({ people, recordDeed: app.recordDeed, log }),
    conversationsOf: inbox.of,
  })
  browserErrorRoutes(app, { log })
  cityRoutes(app)
  mediaRoutes(app, { database })
  siteRoutes(app, site, images)
  await app.register(async (scope) => {
    openToAnyone(scope)
    await scope.register(staticFiles, {
      root: join(buildFolder, 'browser'),
      globIgnore: ['.vite/**'],
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders(reply, path) {
        reply.header('Cache-Control', path.includes('/assets/') ? forEver : 'public, max-age=3600')
        if (/\/embed\.js(\.\w+)?$/.test(path)) reply.headers(forOtherSites)
      },
    })
  })
  navigationRoutes(app, { workerFile: config.serviceWorker ? join(buildFolder, 'worker/sw.js') : undefined })
  await renderer.attach?.(app)
  const { publicUrl } = config
  const { botconversa, ...publicSite } = site
  const routes = pageRoutes(app, { renderer, site: publicSite, publicUrl, log, refreshMs, campaigns })
  adminPageRoutes(app, { renderer, site: publicSite, publicUrl })
  sitemapRoutes(app, { routes, campaigns, publicUrl })
  return app
}

function printPassword(password: string): void {
  process.stdout.write(`\nSenha do primeiro administrador: ${password}\n`)
}
