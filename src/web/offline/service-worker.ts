// Service worker: opens petition pages without a network, and sends kept signatures when the network is back.
// It handles only our own origin and caches no personal data. A setting replaces it by a worker that removes itself.
import { thanksView } from '#contract/page.ts'
import { sendKept } from '#web/offline/kept-signatures.ts'

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

interface FetchEvent extends ExtendableEvent {
  request: Request
  preloadResponse: Promise<Response | undefined>
  respondWith(response: Promise<Response>): void
}

interface WorkerEvents {
  install: ExtendableEvent
  activate: ExtendableEvent
  fetch: FetchEvent
  sync: ExtendableEvent & { tag: string }
}

interface WorkerScope {
  location: Location
  registration: ServiceWorkerRegistration
  clients: { claim(): Promise<void>; matchAll(): Promise<{ url: string }[]> }
  skipWaiting(): Promise<void>
  addEventListener<Type extends keyof WorkerEvents>(type: Type, listen: (event: WorkerEvents[Type]) => void): void
}

const worker = self as unknown as WorkerScope

/** Increase the number when pages cached by an older worker must no longer be opened. */
const cacheName = 'mobiliza-1'
const petitionPath = /^\/(peticao|brasilquerpaz|p\/[\w-]+|[\w-]+-cassado)$/
const maxPages = 8
/** Older pages are not shown: their content may be outdated. */
const maxAgeMs = 7 * 86_400_000
/** How long a user with a cached page waits for a newer one. */
const networkTimeoutMs = 4_000

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))

worker.addEventListener('activate', (event) => event.waitUntil(activate()))

async function activate(): Promise<void> {
  for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name)
  await worker.registration.navigationPreload?.enable()
  await worker.clients.claim()
  // The page that registered this worker was loaded before it. The browser still has it in the HTTP cache.
  const open = await worker.clients.matchAll()
  await Promise.allSettled(open.map(({ url }) => cacheOpenPage(new URL(url).pathname)))
}

async function cacheOpenPage(path: string): Promise<void> {
  if (petitionPath.test(path)) await cachePage(path, await fetch(path, { cache: 'force-cache' }))
}

worker.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request
  const { origin, pathname } = new URL(url)
  if (method !== 'GET' || origin !== worker.location.origin) return
  if (mode === 'navigate') event.respondWith(openPage(event))
  else if (pathname.startsWith('/assets/')) event.respondWith(fetchAsset(event.request))
})

const isFresh = (page: Response | undefined) => Date.now() - Date.parse(page?.headers.get('date') ?? '') <= maxAgeMs

async function fetchAsset(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request)
}

async function openPage(event: FetchEvent): Promise<Response> {
  const { pathname, search } = new URL(event.request.url)
  const isPetition = petitionPath.test(pathname) && !search.includes(thanksView)
  const kept = isPetition ? await caches.match(pathname) : undefined
  const cached = isFresh(kept) ? kept : undefined
  const fresh = fetchPage(event)
  if (isPetition) event.waitUntil(fresh.then((response) => cachePage(pathname, response.clone())).catch(() => {}))
  if (!cached) return fresh
  const timeout = new Promise<Response>((resolve) => setTimeout(resolve, networkTimeoutMs, cached))
  return Promise.race([fresh.then((response) => (response.status >= 500 ? cached : response)), timeout]).catch(
    () => cached,
  )
}

async function fetchPage({ preloadResponse, request }: FetchEvent): Promise<Response> {
  return (await preloadResponse) ?? fetch(request)
}

let lastWrite: Promise<void> = Promise.resolve()

/** One page after the other: pruning would delete the files of a page that is not stored completely yet. */
function cachePage(path: string, response: Response): Promise<void> {
  lastWrite = lastWrite.catch(() => {}).then(() => storePage(path, response))
  return lastWrite
}

/** Stores the document of a page and every file that the document names. A page that no longer exists is deleted. */
async function storePage(path: string, response: Response): Promise<void> {
  const isGone = response.status === 404 || response.status === 410
  // Browsers refuse to open a page from a redirected response.
  if ((response.status !== 200 && !isGone) || response.redirected) return
  const cache = await caches.open(cacheName)
  if (isGone) await cache.delete(path)
  else {
    for (const file of filesOf(await response.clone().text())) if (!(await cache.match(file))) await cache.add(file)
    await cache.put(path, response)
  }
  await prune(cache)
}

const filesOf = (html: string) => new Set(html.match(/\/assets\/[\w.-]+\.(js|woff2)\b/g))

async function prune(cache: Cache): Promise<void> {
  const paths = (await cache.keys()).map(({ url }) => new URL(url).pathname)
  const pages = paths.filter((path) => petitionPath.test(path))
  const needed = new Set<string>()
  for (const page of pages.slice(-maxPages)) {
    const kept = await cache.match(page)
    if (!kept || !isFresh(kept)) continue
    needed.add(page)
    for (const file of filesOf(await kept.text())) needed.add(file)
  }
  for (const path of paths) if (!needed.has(path)) await cache.delete(path)
}

worker.addEventListener('sync', (event) => event.waitUntil(sendAll()))

/** A rejected promise makes the browser repeat the sync later. */
async function sendAll(): Promise<void> {
  if (!(await sendKept())) throw new Error('signatures are still waiting')
}
