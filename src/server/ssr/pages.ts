// Serves the pages of the web's route table: GET from the cache, POST for plain forms, and a page for what went wrong.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { campaignLinks } from '#contract/campaign-links.ts'
import { fillPath, type PathParams, type Refusal } from '#contract/endpoint.ts'
import { httpMessages, messages } from '#contract/messages.ts'
import {
  type ApiFetch,
  type PageRoute,
  type PageTable,
  type RenderedPage,
  type ReturnedForm,
  type Thanked,
  thanksView,
} from '#contract/page.ts'
import type { Site } from '#contract/site.ts'
import { AppError } from '#server/core/errors.ts'
import type { Log } from '#server/core/log.ts'
import { chooseEncoding } from '#server/http/encoding.ts'
import { outcomeOf, refusalOf, refuse, retryAfterSeconds } from '#server/http/error-handler.ts'
import { isKnown } from '#server/http/etag.ts'
import type { App } from '#server/http/mount.ts'
import { documentHeaders, pagePolicy } from '#server/http/security-headers.ts'
import { composeDocument } from '#server/ssr/document.ts'
import { createHtmlCache, type Html, type WireAnswer, type WirePage, wirePage } from '#server/ssr/html-cache.ts'
import type { Renderer } from '#server/ssr/renderer.ts'

export interface PageDeps {
  renderer: Renderer
  site: Site
  publicUrl: string
  log: Log
  refreshMs: number
  campaigns: {
    /** Found also by a slug that it had before. */
    active(slug: string): Promise<{ slug: string }>
    listed(): Promise<{ slug: string }[]>
  }
}

type Problem = Parameters<PageTable['prepareProblem']>[0]

/** The campaign of this page has another slug now. */
class Moved extends Error {
  readonly address: string

  constructor(address: string) {
    super('moved')
    this.address = address
  }
}

/** A database that is away passes; a campaign that was switched off is gone, and one that was renamed is elsewhere. */
const isFinal = (error: unknown) => error instanceof Moved || outcomeOf(error).status === 404
/** Not for long: a campaign may take an old slug of its own back, and browsers would then go round in a circle. */
const movedCaching = 'public, max-age=60'
const keptBriefly = 'public, max-age=1, stale-if-error=86400'

export function pageRoutes(app: App, deps: PageDeps): PageRoute[] {
  const { renderer, site, publicUrl, log, refreshMs, campaigns } = deps
  const fetchApi = callWithin(app, log)
  const linked = [...new Set(campaignLinks(site.deputado).map(({ slug }) => slug))]

  /** Nothing is known before the database was first read: every link is shown then. */
  async function offAir(): Promise<string[]> {
    const onAir = await campaigns.listed().catch(() => undefined)
    return onAir ? linked.filter((slug) => !onAir.some((campaign) => campaign.slug === slug)) : []
  }

  const table: PageTable = renderer.createPageTable({ fetchApi, site, publicUrl, now: () => new Date(), offAir })
  const cache = createHtmlCache({
    periodMs: refreshMs,
    onFailure: (error) => log.warn({ err: error }, 'page served stale'),
    isFinal,
  })
  app.decorate('expirePages', cache.expire)

  function compose(page: RenderedPage): Html {
    const assets = renderer.assetsOf(page.source)
    const { status, frames, framable, scriptless } = page
    // What stands in other people's pages is kept from search engines only: it is asked for as often as they are.
    const lasting = status === 200 && (framable || !page.tags.hidden)
    return {
      status,
      lasting,
      html: composeDocument(page, assets, {
        site,
        publicUrl,
        state: JSON.stringify(page.state),
        build: renderer.build,
        ...(renderer.prelude && { prelude: renderer.prelude }),
      }),
      headers: {
        ...app.commonHeaders,
        ...documentHeaders,
        'Content-Security-Policy':
          renderer.policy ?? pagePolicy({ style: assets.styleHash, frames, framable, scriptless }),
        'Cache-Control': lasting ? keptBriefly : 'no-store',
        ...((status === 503 || status === 429) && { 'Retry-After': String(retryAfterSeconds) }),
      },
    }
  }

  /** Wrong addresses are endless; what is said about them is not. */
  const problem = ({ path, status, message, framable }: Problem) =>
    cache.get(`${status} ${path} ${message} ${framable}`, async () => {
      const draw = await table.prepareProblem({ path, status, message, framable })
      return wirePage(compose(draw()))
    })

  function serve(scope: App, { path: route, form, campaign, query }: PageRoute): void {
    // What the visitor wrote in the address bar may differ in spelling; the page has one address.
    const addressOf = (params: PathParams) => (route.includes(':') ? fillPath(route, params) : route)

    scope.get<{ Params: PathParams }>(route, { config: { access: 'anyone' } }, (request, reply) => {
      const asked = query && queryOf(request)?.get(query)
      const params: PathParams = { ...request.params, ...(asked && { [query]: asked }) }
      const path = addressOf(params)
      // Where the thank-you view is the answer to the button itself, no address shows it.
      const thanked = form?.inPlace ? undefined : thankedIn(request)
      const render = async () => {
        if (campaign && params.slug) {
          const { slug } = await campaigns.active(params.slug)
          if (slug !== params.slug) throw new Moved(addressOf({ slug }))
        }
        const draw = await table.prepare({ path, route, params, thanked })
        return wirePage(compose(draw()))
      }
      // Each link of an e-mail is opened by one person, and what a query says is endless.
      if (form?.inPlace || asked) return render().then((page) => sendPage(request, reply, page))
      const key = thanked ? thanksAddress(path, thanked) : path
      // On the day that everybody comes, nearly all find the page ready: no promise is made for them.
      const ready = cache.known(key)?.encoded(encodingFor(request))
      if (ready && !(ready instanceof Promise)) return sendAnswer(request, reply, ready)
      return cache.get(key, render).then((page) => sendPage(request, reply, page))
    })

    if (!form) return
    const access = form.inPlace ? 'link' : 'anyone'
    const options = { config: { access }, onRequest: app.gate.admit } as const
    scope.post<{ Params: PathParams }>(route, options, async (request, reply) => {
      const { params, id: requestId } = request
      const path = addressOf(params)
      const { body } = request
      const answer = await fetchApi({
        method: 'POST',
        path: form.path,
        params: { ...form.params, ...params },
        body,
        requestId,
      })
      if (answer.status < 300 && form.inPlace) {
        const draw = await table.prepare({ path, route, params, thanked: 'todos' })
        return sendPage(request, reply, wirePage(compose(draw())))
      }
      if (answer.status < 300) return reply.redirect(form.thanks ?? thanksAddress(path, form.thanked?.(body)), 303)
      app.gate.giveBack(request)
      const { message, errors = {} } = answer.body as Refusal
      // Rendering costs far more than checking. A flood of invalid forms gets a stored page with the sentence alone.
      if (answer.status === 400 && !app.gate.admitRendering(request)) throw new AppError('invalid', message)
      const returned = { values: typed(body), errors, message: answer.status >= 500 ? messages.form.away : message }
      const draw = await table.prepare({ path, route, params, form: returned })
      const status = answer.status === 400 ? 422 : answer.status
      return sendPage(request, reply, wirePage(compose({ ...draw(), status })))
    })
  }

  app.register(async (scope) => {
    scope.setErrorHandler(async (error, request, reply) => {
      if (error instanceof Moved) {
        const query = request.url.indexOf('?')
        const address = error.address + (query < 0 ? '' : request.url.slice(query))
        return reply.header('Cache-Control', movedCaching).redirect(address, 301)
      }
      const { status, message } = refuse(error, request, reply)
      const { url: path = '/' } = request.routeOptions
      const framable = table.routes.find((route) => route.path === path)?.framable
      return sendPage(request, reply, await problem({ path, status, message, framable }))
    })
    for (const route of table.routes) {
      if (route.form?.inPlace) scope.register(async (own) => serve(acceptingMultipart(own), route))
      else serve(scope, route)
    }
  })

  app.setNotFoundHandler(async (request, reply) => {
    const wantsPage =
      /^(GET|HEAD)$/.test(request.method) && !/^\/(api|media|assets|imagens|icones)([/?]|$)/.test(request.url)
    if (!wantsPage) throw new AppError('not-found', httpMessages.notFound)
    const missing = { path: '/404', status: 404, message: httpMessages.notFound }
    return sendPage(request, reply, await problem(missing))
  })
  return table.routes
}

/** Mail programs may press a button in this format; what they send says nothing that the address does not. */
function acceptingMultipart(scope: App): App {
  const type = 'multipart/form-data'
  if (scope.hasContentTypeParser(type)) scope.removeContentTypeParser(type)
  scope.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined))
  return scope
}

const thanksAddress = (path: string, thanked: Thanked = 'todos') =>
  `${path}?${thanksView}${thanked === 'todos' ? '' : `=${thanked}`}`

function queryOf({ url }: FastifyRequest): URLSearchParams | undefined {
  const question = url.indexOf('?')
  return question < 0 ? undefined : new URLSearchParams(url.slice(question))
}

function thankedIn(request: FastifyRequest): Thanked | undefined {
  const asked = queryOf(request)?.get(thanksView) ?? null
  if (asked === null) return undefined
  return asked === 'criadores' ? 'criadores' : 'todos'
}

/** What a person typed, to be shown again: text only, whatever was sent. */
function typed(body: unknown): ReturnedForm['values'] {
  const values: ReturnedForm['values'] = {}
  for (const [name, value] of Object.entries(body ?? {})) {
    if (typeof value === 'string') values[name] = value
    else if (Array.isArray(value)) values[name] = value.filter((item) => typeof item === 'string')
  }
  return values
}

/** Everything about a page is known before it is asked for, so it goes straight to the socket. */
function sendAnswer(request: FastifyRequest, reply: FastifyReply, { status, etag, headers, body }: WireAnswer): void {
  if (etag && isKnown(request, etag)) reply.raw.writeHead(304, headers).end()
  else reply.raw.writeHead(status, headers).end(body, 'latin1')
  // Last, so that what fails before it is answered and told like any other failure.
  reply.hijack()
}

async function sendPage(request: FastifyRequest, reply: FastifyReply, page: WirePage): Promise<void> {
  sendAnswer(request, reply, await page.encoded(encodingFor(request)))
}

const encodingFor = ({ headers }: FastifyRequest) => chooseEncoding(headers['accept-encoding'])

/** Pages make the same calls as the browser, without leaving the process. */
function callWithin({ calls }: App, log: Log): ApiFetch {
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
