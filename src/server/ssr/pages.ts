// Serves the pages of the web's route table: GET from the cache, POST for plain forms, and a page for what went wrong.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fillPath, type PathParams, type Refusal } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import type { ApiFetch, PageRoute, PageTable, RenderedPage, ReturnedForm } from '#contract/page.ts'
import type { Site } from '#contract/site.ts'
import { AppError } from '#server/core/errors.ts'
import type { Log } from '#server/core/log.ts'
import { refuse } from '#server/http/error-handler.ts'
import type { App } from '#server/http/mount.ts'
import { pagePolicy, securityHeaders } from '#server/http/security-headers.ts'
import { composeDocument } from '#server/ssr/document.ts'
import { chooseEncoding, createHtmlCache, type Html, type WirePage, wirePage } from '#server/ssr/html-cache.ts'
import type { Renderer } from '#server/ssr/renderer.ts'

export interface PageDeps {
  renderer: Renderer
  site: Site
  publicUrl: string
  log: Log
  pageCacheMs: number
}

const thanksView = 'obrigado'
const keptBriefly = 'public, max-age=1, stale-while-revalidate=10, stale-if-error=86400'

export function pageRoutes(app: App, { renderer, site, publicUrl, log, pageCacheMs }: PageDeps): void {
  const table: PageTable = renderer.createPageTable({ fetchApi: callApi(app), site, publicUrl, now: () => new Date() })
  const cache = createHtmlCache({
    periodMs: pageCacheMs,
    onFailure: (error) => log.warn({ err: error }, 'page served stale'),
  })
  const common = securityHeaders(publicUrl)

  function compose(page: RenderedPage): Html {
    const assets = renderer.assetsOf(page.source)
    const { status } = page
    return {
      status,
      html: composeDocument(page, assets, { site, publicUrl, ...(renderer.prelude && { prelude: renderer.prelude }) }),
      headers: {
        ...common,
        'Content-Security-Policy': renderer.policy ?? pagePolicy(assets.styleHash),
        'Cache-Control': status === 200 ? keptBriefly : 'no-store',
        ...((status === 503 || status === 429) && { 'Retry-After': '3' }),
      },
    }
  }

  const problem = async (path: string, status: number, message: string) =>
    compose(await table.renderProblem({ path, status, message }))

  function serve(scope: App, route: PageRoute): void {
    scope.get(route.path, { config: { access: 'anyone' } }, async (request, reply) => {
      const { path, params, thanked } = visit(request)
      const key = thanked ? `${path}?${thanksView}` : path
      const render = async () => compose(await table.render({ path, route: route.path, params, thanked }))
      return sendPage(request, reply, await cache.get(key, render))
    })

    const { formPath } = route
    if (!formPath) return
    scope.post(route.path, { config: { access: 'anyone' } }, async (request, reply) => {
      const { path, params } = visit(request)
      const values = (request.body ?? {}) as ReturnedForm['values']
      const answer = await callApi(app)({
        method: 'POST',
        path: fillPath(formPath, params),
        body: values,
        requestId: request.id,
      })
      if (answer.status < 300) return reply.redirect(`${path}?${thanksView}`, 303)
      const { message, errors = {} } = answer.body as Refusal
      const form = { values, errors, message: answer.status >= 500 ? messages.form.away : message }
      const page = await table.render({ path, route: route.path, params, form })
      const status = answer.status === 400 ? 422 : answer.status
      return sendPage(request, reply, wirePage(compose({ ...page, status })))
    })
  }

  app.register(async (scope) => {
    scope.setErrorHandler(async (error, request, reply) => {
      const { status, message } = refuse(error, request, reply)
      return sendPage(request, reply, wirePage(await problem(visit(request).path, status, message)))
    })
    for (const route of table.routes) serve(scope, route)
  })

  app.setNotFoundHandler(async (request, reply) => {
    const { path } = visit(request)
    const wantsPage = request.method === 'GET' && !/^\/(api|media|assets)(\/|$)/.test(path)
    if (!wantsPage) throw new AppError('not-found', messages.http.notFound)
    return sendPage(request, reply, await cache.get('404', () => problem('/404', 404, messages.http.notFound)))
  })
}

function visit(request: FastifyRequest): { path: string; params: PathParams; thanked: boolean } {
  const { url } = request
  const question = url.indexOf('?')
  return {
    path: question < 0 ? url : url.slice(0, question),
    params: (request.params ?? {}) as PathParams,
    thanked: question >= 0 && new URLSearchParams(url.slice(question)).has(thanksView),
  }
}

/** Everything about a page is known before it is asked for, so it goes straight to the socket. */
async function sendPage(request: FastifyRequest, reply: FastifyReply, page: WirePage): Promise<FastifyReply> {
  const { status, etag, headers, body } = await page.encoded(chooseEncoding(request.headers['accept-encoding']))
  reply.hijack()
  if (status === 200 && request.headers['if-none-match'] === etag) reply.raw.writeHead(304, headers).end()
  else reply.raw.writeHead(status, headers).end(body, 'latin1')
  return reply
}

/** Pages read the same calls that the browser makes, without leaving the process. */
function callApi(app: App): ApiFetch {
  return async ({ method, path, body, requestId }) => {
    const answer = await app.inject({
      method: method as 'GET',
      url: path,
      ...(body !== undefined && { payload: body as object }),
      ...(requestId !== undefined && { headers: { 'x-request-id': requestId } }),
    })
    return { status: answer.statusCode, body: answer.json() }
  }
}
