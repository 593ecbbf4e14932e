import staticFiles from '@fastify/static'
import { allowAnyone } from '#server/http/access.ts'
import type { App } from '#server/http/mount.ts'

/** Other sites load this file, so their policies must be able to admit it. */
const crossOriginHeaders = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' }

/** File names in /assets/ contain a digest of the content. */
const immutable = 'public, max-age=31536000, immutable'

export async function registerStaticFiles(app: App, root: string): Promise<void> {
  await app.register(async (scope) => {
    allowAnyone(scope)
    await scope.register(staticFiles, {
      root,
      globIgnore: ['.vite/**'],
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders(reply, path) {
        reply.header('Cache-Control', path.includes('/assets/') ? immutable : 'public, max-age=3600')
        if (/\/embed\.js(\.\w+)?$/.test(path)) reply.headers(crossOriginHeaders)
      },
    })
  })
}
