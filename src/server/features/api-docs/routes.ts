// Serves the description of the API, as OpenAPI and as a page.
import { readApiDocs, readOpenApi } from '#contract/api-docs.ts'
import type { Site } from '#contract/site.ts'
import { memoize } from '#server/core/memoize.ts'
import type { SiteService } from '#server/db/site-settings.ts'
import { describeApi } from '#server/features/api-docs/openapi.ts'
import { pageStyleHash, renderPage } from '#server/features/api-docs/page.ts'
import { type App, mount } from '#server/http/mount.ts'
import { prepareResponse, sendPrepared } from '#server/http/response-cache.ts'
import { documentHeaders, pagePolicy } from '#server/http/security-headers.ts'

interface ApiDocsParts {
  site: Pick<SiteService, 'current'>
  publicUrl: string
}

/** Built at the first request, because the list of routes is then complete, and after every change of the settings. */
export function registerApiDocs(app: App, { site, publicUrl }: ApiDocsParts): void {
  const describe = memoize(({ movimento }: Site) =>
    describeApi(app.policies, { title: `API de ${movimento}`, publicUrl }),
  )
  const openApi = async () => describe(await site.current())
  const page = memoize(renderPage)

  mount(app, readOpenApi, openApi)

  const { path, access } = readApiDocs
  const contentType = 'text/html; charset=utf-8'
  const { 'Speculation-Rules': _, ...pageHeaders } = documentHeaders
  const headers = {
    ...app.commonHeaders,
    ...pageHeaders,
    'Content-Security-Policy': pagePolicy({ style: pageStyleHash, scriptless: true }),
    'Content-Type': contentType,
    'Cache-Control': `public, max-age=${readOpenApi.cacheSeconds}`,
  }
  app.get(path, { config: { access, endpoint: readApiDocs, contentType } }, async (request, reply) => {
    const prepared = await app.responses.get(path, async () =>
      prepareResponse({
        status: 200,
        body: page(await openApi()),
        headers,
        isCacheable: true,
        effort: 'thorough',
      }),
    )
    return sendPrepared(request, reply, prepared)
  })
}
