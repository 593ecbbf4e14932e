// The worker that outlives the page: opens petition pages without a network, and sends kept signatures when it returns.
// It sees only our own site, keeps nothing about anybody, and is replaced by one that removes itself when the operator says so.
import { thanksView } from '#contract/page.ts'
import { sendKept } from '#web/offline/kept-signatures.ts'

interface LastingEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

interface FetchEvent extends LastingEvent {
  request: Request
  preloadResponse: Promise<Response | undefined>
  respondWith(answer: Promise<Response>): void
}

interface WorkerEvents {
  install: LastingEvent
  activate: LastingEvent
  fetch: FetchEvent
  sync: LastingEvent & { tag: string }
}

interface WorkerScope {
  location: Location
  registration: ServiceWorkerRegistration
  clients: { claim(): Promise<void>; matchAll(): Promise<{ url: string }[]> }
  skipWaiting(): Promise<void>
  addEventListener<Type extends keyof WorkerEvents>(type: Type, listen: (event: WorkerEvents[Type]) => void): void
}

const worker = self as unknown as WorkerScope

/** Another number when pages kept by an older worker must not be opened any more. */
const shelf = 'mobiliza-1'
const petition = /^\/(peticao|brasilquerpaz|p\/[\w-]+|[\w-]+-cassado)$/
const mostPages = 8
/** A page that the server sent longer ago is not shown any more: what it says may be wrong by now. */
const mostAgeMs = 7 * 86_400_000
/** Somebody whose page is on the shelf does not wait longer for a newer one. */
const patienceMs = 4_000

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))

worker.addEventListener('activate', (event) => event.waitUntil(moveIn()))

async function moveIn(): Promise<void> {
  for (const name of await caches.keys()) if (name !== shelf) await caches.delete(name)
  await worker.registration.navigationPreload?.enable()
  await worker.clients.claim()
  // The page that called us here came before us; the browser still has it.
  const open = await worker.clients.matchAll()
  await Promise.allSettled(open.map(({ url }) => keepOpenPage(new URL(url).pathname)))
}

async function keepOpenPage(path: string): Promise<void> {
  if (petition.test(path)) await keepPage(path, await fetch(path, { cache: 'force-cache' }))
}

worker.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request
  const { origin, pathname } = new URL(url)
  if (method !== 'GET' || origin !== worker.location.origin) return
  if (mode === 'navigate') event.respondWith(openPage(event))
  else if (pathname.startsWith('/assets/')) event.respondWith(fromShelf(event.request))
})

const isFresh = (page: Response | undefined) => Date.now() - Date.parse(page?.headers.get('date') ?? '') <= mostAgeMs

async function fromShelf(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request)
}

async function openPage(event: FetchEvent): Promise<Response> {
  const { pathname, search } = new URL(event.request.url)
  const isPetition = petition.test(pathname) && !search.includes(thanksView)
  const kept = isPetition ? await caches.match(pathname) : undefined
  const known = isFresh(kept) ? kept : undefined
  const fresh = fetchPage(event)
  if (isPetition) event.waitUntil(fresh.then((answer) => keepPage(pathname, answer.clone())).catch(() => {}))
  if (!known) return fresh
  const late = new Promise<Response>((resolve) => setTimeout(resolve, patienceMs, known))
  return Promise.race([fresh.then((answer) => (answer.status >= 500 ? known : answer)), late]).catch(() => known)
}

async function fetchPage({ preloadResponse, request }: FetchEvent): Promise<Response> {
  return (await preloadResponse) ?? fetch(request)
}

let shelving: Promise<void> = Promise.resolve()

/** One after the other: who tidies up would throw away the files of a page that is not there yet. */
function keepPage(path: string, answer: Response): Promise<void> {
  shelving = shelving.catch(() => {}).then(() => shelve(path, answer))
  return shelving
}

/** A page is kept whole: its document, and every file that the document names. One that was taken off the air is not kept any longer. */
async function shelve(path: string, answer: Response): Promise<void> {
  const isGone = answer.status === 404 || answer.status === 410
  // Browsers refuse to open a page from an answer that was redirected.
  if ((answer.status !== 200 && !isGone) || answer.redirected) return
  const cache = await caches.open(shelf)
  if (isGone) await cache.delete(path)
  else {
    for (const file of filesOf(await answer.clone().text())) if (!(await cache.match(file))) await cache.add(file)
    await cache.put(path, answer)
  }
  await tidy(cache)
}

const filesOf = (html: string) => new Set(html.match(/\/assets\/[\w.-]+\.(js|woff2)\b/g))

async function tidy(cache: Cache): Promise<void> {
  const paths = (await cache.keys()).map(({ url }) => new URL(url).pathname)
  const pages = paths.filter((path) => petition.test(path))
  const needed = new Set<string>()
  for (const page of pages.slice(-mostPages)) {
    const kept = await cache.match(page)
    if (!kept || !isFresh(kept)) continue
    needed.add(page)
    for (const file of filesOf(await kept.text())) needed.add(file)
  }
  for (const path of paths) if (!needed.has(path)) await cache.delete(path)
}

worker.addEventListener('sync', (event) => event.waitUntil(sendAll()))

/** A rejection makes the browser try again later. */
async function sendAll(): Promise<void> {
  if (!(await sendKept())) throw new Error('signatures are still waiting')
}
