// Serves the description of the API, as OpenAPI and as a page.
import { readApiDocs, readOpenApi } from '#contract/api-docs.ts'
import type { Site } from '#contract/site.ts'
import { memoize } from '#server/core/memoize.ts'
import { describeApi } from '#server/features/api-docs/openapi.ts'
import { pageStyleHash, renderPage } from '#server/features/api-docs/page.ts'
import type { Policy } from '#server/http/access.ts'
import { type App, mount } from '#server/http/mount.ts'
import { prepareResponse, sendPrepared } from '#server/http/response-cache.ts'
import { documentHeaders, pagePolicy } from '#server/http/security-headers.ts'

/** Built once, at the first request: the list of routes is complete only when the server is ready. */
export function registerApiDocs(app: App, { site, publicUrl }: { site: Site; publicUrl: string }): void {
  const openApi = memoize((policies: Policy[]) =>
    describeApi(policies, { title: `API de ${site.movimento}`, publicUrl }),
  )
  const page = memoize(renderPage)

  mount(app, readOpenApi, async () => openApi(app.policies))

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
        body: page(openApi(app.policies)),
        headers,
        isCacheable: true,
        effort: 'thorough',
      }),
    )
    return sendPrepared(request, reply, prepared)
  })
}
