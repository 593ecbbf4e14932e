// Draws pages on the server: loads what the route asks for, then renders and hands over the state.
import { renderToString } from 'react-dom/server'
import { emailLinkMessages } from '#contract/email-links.ts'
import type { CreatePageTable, DrawPage, PageRequest, PageTools } from '#contract/page.ts'
import type { Site } from '#contract/site.ts'
import { ApiFailure } from '#web/api/client.ts'
import { createStore, type Query, type StoreState } from '#web/api/store.ts'
import type { Visit } from '#web/api/visit.ts'
import { PageRoot } from '#web/page-root.tsx'
import { loadPage, pageSource } from '#web/pages.ts'
import { type Route, routes } from '#web/routes.tsx'
import type { PageState } from '#web/state.ts'

const linkSentences: string[] = Object.values(emailLinkMessages)

const problemRouteOf = (site: Site, message: string): Route => ({
  path: '*',
  page: linkSentences.includes(message) ? 'email-links/link-problem-page' : 'problems/problem-page',
  scriptless: true,
  load: () => [],
  tags: () => ({ title: site.movimento, description: site.lema }),
})

/** Brasília is three hours behind Greenwich the whole year round. */
const yearInBrazil = (now: Date) => new Date(now.getTime() - 3 * 3_600_000).getUTCFullYear()

export const createPageTable: CreatePageTable = (tools) => {
  const table = routes(tools.site)
  return {
    routes: table,
    prepare(request) {
      const route = table.find(({ path }) => path === request.route)
      if (!route) throw new Error(`no route ${request.route}`)
      return prepareRoute(route, request, tools)
    },
    prepareProblem: ({ path, framable = false, ...problem }) =>
      prepareRoute(
        { ...problemRouteOf(tools.site, problem.message), framable },
        { path, route: '*', params: {} },
        tools,
        problem,
      ),
  }
}

async function prepareRoute(
  route: Route,
  request: PageRequest,
  { fetchApi, site, publicUrl, now, offAir }: PageTools,
  problem?: { status: number; message: string },
): Promise<DrawPage> {
  const { path, params, thanked, form } = request
  const reading = createStore(fetchApi)
  const readOnce = (query: Query) => reading.read({ ...query, retries: 0 })
  const [required, missing] = await Promise.all([
    Promise.all(route.load(params).map(readOnce)),
    offAir(),
    Promise.all((route.loadIfPossible?.(params) ?? []).map(readOnce)),
  ])
  for (const { error } of required) if (error) throw error
  const refusal = thanked ? undefined : route.refuses?.(reading, params)
  if (refusal) throw new ApiFailure(refusal.status, { success: false, message: refusal.message })
  // What could not be read is drawn as not read yet: the browser, which starts from this state, tries again.
  const known: StoreState = Object.fromEntries(Object.entries(reading.state()).filter(([, data]) => data !== undefined))
  const store = createStore(fetchApi, known)
  const { comunidade: community, perfis: profiles, lembrete: _, ...shownSite } = site
  const visit: Visit = {
    path,
    params,
    ...(thanked && { thanked }),
    ...(form && { form }),
    ...(problem && { problem }),
    ...(route.framable && { framed: true }),
    ...(missing.length > 0 && { offAir: missing }),
    site: shownSite,
    ...(route.showsCommunity && { community }),
    publicUrl,
    year: yearInBrazil(now()),
  }
  const Page = await loadPage(route.page)
  const drawn: Visit = { ...visit, profiles }
  const state: PageState = { visit: route.showsProfiles ? drawn : visit, known }
  return () => ({
    status: problem?.status ?? 200,
    tags: { canonical: path, ...route.tags(store, params), ...((thanked || route.hidden) && { hidden: true }) },
    route: route.path,
    source: pageSource(route.page),
    ...(route.frames && { frames: route.frames }),
    ...(route.framable && { framable: true }),
    ...(route.scriptless && { scriptless: true }),
    theme: route.theme?.(store, params) ?? 'red',
    html: renderToString(<PageRoot store={store} visit={drawn} page={Page} />),
    state,
  })
}
