// Serves the pages of the route table: GET through the response cache, POST for forms without JavaScript, error pages.
import type { FastifyRequest } from 'fastify'
import { campaignLinks } from '#contract/campaign-links.ts'
import { fillPath, type PathParams } from '#contract/endpoint.ts'
import { httpMessages, messages } from '#contract/messages.ts'
import { originOfQuery, originParameter } from '#contract/origin.ts'
import {
  type ApiFetch,
  type PageRoute,
  type PageTable,
  type RenderedPage,
  type ReturnedForm,
  type ThanksAudience,
  thanksView,
} from '#contract/page.ts'
import type { Refusal } from '#contract/refusals.ts'
import type { RetentionPeriods } from '#contract/retention.ts'
import type { Site } from '#contract/site.ts'
import { AppError } from '#server/core/errors.ts'
import type { Log } from '#server/core/log.ts'
import type { SiteService } from '#server/db/site-settings.ts'
import { Moved, outcomeOf, refusalOf, refuse, retryAfterSeconds } from '#server/http/error-handler.ts'
import type { App } from '#server/http/mount.ts'
import { type PreparedResponse, prepareResponse, sendPrepared } from '#server/http/response-cache.ts'
import { documentHeaders, pagePolicy } from '#server/http/security-headers.ts'
import { composeDocument } from '#server/ssr/document.ts'
import type { Renderer } from '#server/ssr/renderer.ts'

interface PageDeps {
  renderer: Renderer
  site: Pick<SiteService, 'current'>
  publicUrl: string
  retention: RetentionPeriods
  log: Log
  campaigns: {
    /** Also finds a campaign by one of its former slugs. */
    active(slug: string): Promise<{ slug: string }>
    listed(): Promise<{ slug: string }[]>
  }
}

type Problem = Parameters<PageTable['prepareErrorPage']>[0]

/** Short, because a campaign may return to a former slug: redirects cached for longer would then form a loop. */
const redirectCacheControl = 'public, max-age=60'
const pageCacheControl = 'public, max-age=1, stale-if-error=86400'

export async function registerPages(app: App, deps: PageDeps): Promise<PageRoute[]> {
  const { renderer, site, publicUrl, retention, log, campaigns } = deps
  const fetchApi = createInProcessFetch(app, log)

  /** Slugs whose links are hidden. None until the campaigns have been read from the database for the first time. */
  async function inactiveCampaigns(currentSite: Site): Promise<string[]> {
    const linkedSlugs = [...new Set(campaignLinks(currentSite).map(({ slug }) => slug))]
    const active = await campaigns.listed().catch(() => undefined)
    return active ? linkedSlugs.filter((slug) => !active.some((campaign) => campaign.slug === slug)) : []
  }

  const table: PageTable = renderer.createPageTable({
    fetchApi,
    initialSite: await site.current(),
    currentSite: site.current,
    publicUrl,
    retention,
    now: () => new Date(),
    inactiveCampaigns,
  })

  const personalPaths = new Set(table.routes.filter(({ personal }) => personal).map(({ path }) => path))

  function compose(page: RenderedPage): PreparedResponse {
    const assets = renderer.assetsOf(page.source)
    const { status, frames, framable } = page
    const scriptless = page.scriptless && !page.passesOrigin
    // Framable pages are cached although hidden from search engines: every page that embeds them requests them.
    const isCacheable = status === 200 && (framable || !page.tags.hidden)
    return prepareResponse({
      status,
      isCacheable,
      body: composeDocument(page, assets, {
        site: page.site,
        publicUrl,
        state: JSON.stringify(page.state),
        build: renderer.build,
        ...(renderer.prelude && { prelude: renderer.prelude }),
      }),
      headers: {
        ...app.commonHeaders,
        ...documentHeaders,
        ...(personalPaths.has(page.route) && { 'Referrer-Policy': 'no-referrer' }),
        'Content-Security-Policy':
          renderer.policy ?? pagePolicy({ style: assets.styleHash, frames, framable, scriptless }),
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': isCacheable ? pageCacheControl : 'no-store',
        ...((status === 503 || status === 429) && { 'Retry-After': String(retryAfterSeconds) }),
      },
    })
  }

  /** Cached by route and message, because the number of invalid URLs is unlimited. */
  const errorPage = ({ path, status, code, message, framable }: Problem) =>
    app.responses.get(`${status} ${code} ${path} ${message} ${framable}`, async () => {
      const draw = await table.prepareErrorPage({ path, status, code, message, framable })
      return compose(draw())
    })

  function serve(scope: App, { path: route, form, personal, campaign, query }: PageRoute): void {
    // The requested URL may be encoded differently; the page has one canonical path.
    const canonicalPath = (params: PathParams) => (route.includes(':') ? fillPath(route, params) : route)

    scope.get<{ Params: PathParams }>(route, { config: { access: 'anyone' } }, (request, reply) => {
      const queryValue = query && queryOf(request).get(query)
      const params: PathParams = { ...request.params, ...(queryValue && { [query]: queryValue }) }
      const path = canonicalPath(params)
      // With `inPlace`, only the reply to the POST shows the thank-you view; it has no URL.
      const thanked = form?.inPlace ? undefined : thankedAudience(request)
      const render = async () => {
        if (campaign && params.slug) {
          const { slug } = await campaigns.active(params.slug)
          if (slug !== params.slug) throw new Moved(canonicalPath({ ...params, slug }))
        }
        const draw = await table.prepare({ path, route, params, thanked })
        return compose(draw())
      }
      // Not cached: a link from an e-mail is for one person, and the number of query values is unlimited.
      if (form?.inPlace || personal || queryValue) return render().then((page) => sendPrepared(request, reply, page))
      const key = thanked ? thanksAddress(path, thanked) : path
      return app.responses.get(key, render).then((page) => sendPrepared(request, reply, page))
    })

    if (!form) return
    const access = form.inPlace || personal ? 'link' : 'anyone'
    const options = { config: { access }, onRequest: app.formLimits.admit } as const
    scope.post<{ Params: PathParams }>(route, options, async (request, reply) => {
      const { params, id: requestId } = request
      const path = canonicalPath(params)
      const { body } = request
      // The page is cached by path: without JavaScript only the address of the POST has the origin.
      const origem = form.inPlace || personal ? undefined : originOfQuery(queryOf(request))
      const answer = await fetchApi({
        method: 'POST',
        path: form.path,
        params: { ...form.params, ...params },
        body: origem ? { origem, ...(body as object) } : body,
        requestId,
      })
      if (answer.status < 300 && form.inPlace) {
        const draw = await table.prepare({ path, route, params, thanked: 'todos' })
        return sendPrepared(request, reply, compose(draw()))
      }
      if (answer.status < 300)
        return reply.redirect(
          withOrigin(form.thanks ? fillPath(form.thanks, params) : thanksAddress(path, form.thanked?.(body)), origem),
          303,
        )
      app.formLimits.refund(request)
      const { message, errors = {} } = answer.body as Refusal
      // Rendering costs far more than validation. Too many invalid forms get a cached page with only the message.
      if (answer.status === 400 && !app.formLimits.admitRendering(request)) throw new AppError('invalid', message)
      const returned = {
        values: submittedValues(body),
        errors,
        message: answer.status >= 500 ? messages.form.away : message,
      }
      const draw = await table.prepare({ path, route, params, form: returned })
      const status = answer.status === 400 ? 422 : answer.status
      return sendPrepared(request, reply, compose({ ...draw(), status }))
    })
  }

  app.register(async (scope) => {
    scope.setErrorHandler(async (error, request, reply) => {
      if (error instanceof Moved) {
        const queryStart = request.url.indexOf('?')
        const address = error.address + (queryStart < 0 ? '' : request.url.slice(queryStart))
        return reply.header('Cache-Control', redirectCacheControl).redirect(address, 301)
      }
      const { status, code, message } = refuse(error, request, reply)
      const { url: path = '/' } = request.routeOptions
      const framable = table.routes.find((route) => route.path === path)?.framable
      return sendPrepared(request, reply, await errorPage({ path, status, code, message, framable }))
    })
    for (const route of table.routes) {
      if (route.form?.inPlace) scope.register(async (formScope) => serve(acceptMultipart(formScope), route))
      else serve(scope, route)
    }
  })

  app.setNotFoundHandler(async (request, reply) => {
    const wantsPage =
      /^(GET|HEAD)$/.test(request.method) && !/^\/(api|media|assets|imagens|icones)([/?]|$)/.test(request.url)
    if (!wantsPage) throw new AppError('not-found', httpMessages.notFound)
    const missing = { path: '/404', status: 404, code: 'not-found', message: httpMessages.notFound } as const
    return sendPrepared(request, reply, await errorPage(missing))
  })
  return table.routes
}

/** Mail programs may send a one-click POST as multipart. Its body is ignored: the URL contains all that is needed. */
function acceptMultipart(scope: App): App {
  const type = 'multipart/form-data'
  if (scope.hasContentTypeParser(type)) scope.removeContentTypeParser(type)
  scope.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined))
  return scope
}

const thanksAddress = (path: string, thanked: ThanksAudience = 'todos') =>
  `${path}?${thanksView}${thanked === 'todos' ? '' : `=${thanked}`}`

const withOrigin = (address: string, origem: string | undefined) =>
  origem ? `${address}${address.includes('?') ? '&' : '?'}${originParameter}=${origem}` : address

function queryOf({ url }: FastifyRequest): URLSearchParams {
  const queryStart = url.indexOf('?')
  return new URLSearchParams(queryStart < 0 ? '' : url.slice(queryStart))
}

function thankedAudience(request: FastifyRequest): ThanksAudience | undefined {
  const value = queryOf(request).get(thanksView)
  if (value === null) return undefined
  return value === 'criadores' ? 'criadores' : 'todos'
}

/** The values of a rejected form, to be shown again. Values that are not text are dropped. */
function submittedValues(body: unknown): ReturnedForm['values'] {
  const values: ReturnedForm['values'] = {}
  for (const [name, value] of Object.entries(body ?? {})) {
    if (typeof value === 'string') values[name] = value
    else if (Array.isArray(value)) values[name] = value.filter((item) => typeof item === 'string')
  }
  return values
}

/** Pages make the same API calls as the browser, but within the process. */
function createInProcessFetch({ calls }: App, log: Log): ApiFetch {
  return async ({ method, path, params, body, requestId = crypto.randomUUID() }) => {
    try {
      const answer = calls.get(`${method} ${path}`)
      if (!answer) throw new AppError('not-found', httpMessages.notFound)
      return { status: 200, body: await answer({ params, body, requestId, address: '' }) }
    } catch (error) {
      const outcome = outcomeOf(error)
      if (outcome.status === 500) log.error({ err: error, requestId, route: path }, 'unexpected failure')
      return { status: outcome.status, body: refusalOf(outcome) }
    }
  }
}
