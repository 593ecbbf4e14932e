// Renders pages on the server: loads the data of the route, then returns the HTML and the state for hydration.
import { renderToString } from 'react-dom/server'
import { emailLinkProblems } from '#contract/email-links.ts'
import type { CreatePageTable, PageProblem, PageRequest, PageTools, RenderPage } from '#contract/page.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import type { Site } from '#contract/site.ts'
import { activeCampaigns } from '#web/api/campaigns.ts'
import { ApiFailure } from '#web/api/client.ts'
import type { PageContext } from '#web/api/page-context.ts'
import { createStore, type Query, type Store, type StoreState } from '#web/api/store.ts'
import { PageRoot } from '#web/page-root.tsx'
import { loadPage, pageSource } from '#web/pages.ts'
import { type Route, routes } from '#web/routes.tsx'
import type { PageState } from '#web/state.ts'
import { loadParts } from '#web/ui/lazy-part.tsx'

const problemRouteOf = (site: Site, code: RefusalCode): Route => ({
  path: '*',
  page: code in emailLinkProblems ? 'email-links/link-problem-page' : 'problems/problem-page',
  scriptless: true,
  load: () => [],
  tags: () => ({ title: site.movimento, description: site.lema }),
})

const dataOf = (store: Store): StoreState =>
  Object.fromEntries(Object.entries(store.state()).filter(([, value]) => value !== undefined))

/** Brasília is at UTC-3 all year, without daylight saving time. */
const yearInBrazil = (now: Date) => new Date(now.getTime() - 3 * 3_600_000).getUTCFullYear()

export const createPageTable: CreatePageTable = (tools) => {
  let last = { site: tools.initialSite, table: routes(tools.initialSite) }
  /** The route table of these settings, which rarely change. */
  function tableOf(site: Site): Route[] {
    if (last.site !== site) last = { site, table: routes(site) }
    return last.table
  }
  return {
    routes: last.table,
    async prepare(request) {
      const site = await tools.currentSite()
      const route = tableOf(site).find(({ path }) => path === request.route)
      if (!route) throw new Error(`no route ${request.route}`)
      return prepareRoute(route, request, { ...tools, site })
    },
    async prepareErrorPage({ path, framable = false, ...problem }) {
      const site = await tools.currentSite()
      const route = { ...problemRouteOf(site, problem.code), framable }
      return prepareRoute(route, { path, route: '*', params: {} }, { ...tools, site }, problem)
    },
  }
}

async function prepareRoute(
  route: Route,
  request: PageRequest,
  { fetchApi, site, publicUrl, retention, now, inactiveCampaigns }: PageTools & { site: Site },
  problem?: PageProblem,
): Promise<RenderPage> {
  const { path, params, thanked, form } = request
  const loading = createStore(fetchApi)
  const readOnce = (query: Query) => loading.read({ ...query, retries: 0 })
  // For the parts that only the server renders. The state of the page does not contain it.
  const listing = createStore(fetchApi)
  const [required, offAirSlugs] = await Promise.all([
    Promise.all(route.load(params).map(readOnce)),
    inactiveCampaigns(site),
    Promise.all((route.loadIfPossible?.(params) ?? []).map(readOnce)),
    ...[activeCampaigns, ...(route.loadStatic?.(params) ?? [])].map((query: Query) => listing.read(query)),
  ])
  for (const { error } of required) if (error) throw error
  const refused = thanked ? undefined : route.refuses?.(loading, params)
  if (refused) throw new ApiFailure(410, { success: false, code: refused, message: emailLinkProblems[refused] })
  // Data that could not be read is rendered as not loaded yet. The browser starts from this state and tries again.
  const data = dataOf(loading)
  const store = createStore(fetchApi, { ...dataOf(listing), ...data })
  const { comunidade: community, perfis: profiles, menu, ...others } = site
  const { lembrete: _, novidadesPorDia: __, botconversa: ___, ...publicSite } = others
  const context: PageContext = {
    path,
    params,
    ...(thanked && { thanked }),
    ...(form && { form }),
    ...(problem && { problem }),
    ...(route.framable && { framed: true }),
    site: publicSite,
    ...(route.showsCommunity && { community }),
    publicUrl,
    year: yearInBrazil(now()),
  }
  const Page = await loadPage(route.page)
  await loadParts()
  const fullContext: PageContext = {
    ...context,
    profiles,
    menu: menu.filter(({ slug }) => !slug || !offAirSlugs.includes(slug)),
    inactiveCampaigns: offAirSlugs,
    retention,
  }
  const visit = route.showsProfiles ? { ...context, profiles } : context
  const state: PageState = { visit, known: data }
  return () => ({
    status: problem?.status ?? 200,
    site,
    tags: { canonical: path, ...route.tags(store, params), ...((thanked || route.hidden) && { hidden: true }) },
    route: route.path,
    source: pageSource(route.page),
    ...(route.frames && { frames: route.frames }),
    ...(route.framable && { framable: true }),
    ...(route.scriptless && { scriptless: true }),
    ...(route.passesOrigin && { passesOrigin: true }),
    theme: route.theme?.(store, params) ?? 'red',
    html: renderToString(<PageRoot store={store} context={fullContext} page={Page} />),
    state: route.trim?.(state) ?? state,
  })
}
