// What browsers read to open pages faster, or without a network: which links to draw ahead, and the worker's script.
import { existsSync, readFileSync } from 'node:fs'
import type { App } from '#server/http/mount.ts'

/** Only when a finger or a button is already down on a link: nothing is downloaded in vain. */
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
 * Replaces the worker and removes itself, the kept pages and the kept signatures. Where no worker was before, it removes only
 * itself: pages go on keeping signatures that they could not send.
 */
const farewell = `// The worker is switched off here.
let replaces = true
self.addEventListener('install', () => {
  replaces = Boolean(self.registration.active)
  self.skipWaiting()
})
self.addEventListener('activate', (event) => event.waitUntil(leave()))
async function leave() {
  for (const name of await caches.keys()) await caches.delete(name)
  if (replaces) indexedDB.deleteDatabase('mobiliza')
  await self.registration.unregister()
}
`

/** Without a worker's file, phones that still have one are rid of it. */
export function navigationRoutes(app: App, { workerFile }: { workerFile: string | undefined }): void {
  const config = { access: 'anyone' } as const
  const worker = workerFile && existsSync(workerFile) ? readFileSync(workerFile, 'utf8') : farewell

  app.get('/navegacao.json', { config }, (_request, reply) =>
    reply
      .header('Cache-Control', 'public, max-age=86400')
      .type('application/speculationrules+json')
      .send(speculationRules),
  )
  app.get('/sw.js', { config }, (_request, reply) =>
    reply
      .header('Cache-Control', 'no-cache')
      // The worker fetches pages, so the policy of a script alone would not do.
      .header('Content-Security-Policy', "default-src 'none'; connect-src 'self'")
      .type('text/javascript; charset=utf-8')
      .send(worker),
  )
}
