// Serves the speculation rules, which make links open faster, and the service worker, which makes pages work offline.
import { existsSync, readFileSync } from 'node:fs'
import type { App } from '#server/http/mount.ts'

/** `conservative`: prerenders a link only on pointer down, so that no page is downloaded in vain. */
const speculationRules = JSON.stringify({
  prerender: [
    {
      where: {
        and: [
          { href_matches: '/*' },
          { not: { href_matches: ['/api/*', '/media/*', '/assets/*', '/admin*', '/embed*'] } },
          { not: { selector_matches: '[target=_blank], [download]' } },
        ],
      },
      eagerness: 'conservative',
    },
  ],
})

/**
 * Replaces an installed service worker, then removes itself, the cached pages and the stored signatures. If no worker
 * was installed before, the stored signatures stay: pages without a worker also store signatures that failed to send.
 */
const removalWorker = `// The worker is switched off here.
let replaces = true
self.addEventListener('install', () => {
  replaces = Boolean(self.registration.active)
  self.skipWaiting()
})
self.addEventListener('activate', (event) => event.waitUntil(remove()))
async function remove() {
  for (const name of await caches.keys()) await caches.delete(name)
  if (replaces) indexedDB.deleteDatabase('mobiliza')
  await self.registration.unregister()
}
`

/** Without a worker file, `/sw.js` removes the worker from browsers that have one installed. */
export function registerNavigation(app: App, { workerFile }: { workerFile: string | undefined }): void {
  const config = { access: 'anyone' } as const
  const worker = workerFile && existsSync(workerFile) ? readFileSync(workerFile, 'utf8') : removalWorker

  app.get('/navegacao.json', { config }, (_request, reply) =>
    reply
      .header('Cache-Control', 'public, max-age=86400')
      .type('application/speculationrules+json')
      .send(speculationRules),
  )
  app.get('/sw.js', { config }, (_request, reply) =>
    reply
      .header('Cache-Control', 'no-cache')
      // The worker fetches pages; the default policy would forbid that.
      .header('Content-Security-Policy', "default-src 'none'; connect-src 'self'")
      .type('text/javascript; charset=utf-8')
      .send(worker),
  )
}
