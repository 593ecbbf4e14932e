// Preview of a campaign or a news item while it is edited: rendered from the values of the admin form, with links and
// forms disabled.

// Imported first, so that the styles of the components override these.
import '#web/ui/base.css'
import { createRoot } from 'react-dom/client'
import { config } from 'zod/mini'
import { type CampaignPreview, previewReady } from '#contract/admin/campaigns.ts'
import type { NewsPreview } from '#contract/admin/news.ts'
import { campaignPath, countCampaign, readCampaign } from '#contract/campaigns.ts'
import { listCities } from '#contract/cities.ts'
import { fillPath } from '#contract/endpoint.ts'
import { listNews, newsPaths } from '#contract/news.ts'
import type { ApiFetch } from '#contract/page.ts'
import { deputyCampaign, interestRatePetition } from '#contract/petitions.ts'
import type { Site } from '#contract/site.ts'
import { createStore } from '#web/api/store.ts'
import { Layout } from '#web/layout/layout.tsx'
import { PageRoot } from '#web/page-root.tsx'
import CampaignPage from '#web/pages/campaigns/campaign-page.tsx'
import { NewsArticle } from '#web/pages/news/news-article.tsx'
import '#web/pages/news/news.css'
import DeputyPage from '#web/pages/petitions/deputy-page.tsx'
import PetitionPage from '#web/pages/petitions/petition-page.tsx'

// Schemas compiled at run time would violate the document's Content Security Policy.
config({ jitless: true })

const { site, publicUrl } = JSON.parse(document.getElementById('site')?.textContent ?? '{}') as {
  site: Site
  publicUrl: string
}
const root = createRoot(document.getElementById('admin') ?? document.body)

/** Answers every request of the page from the draft. */
function answerFromDraft({ campaign, signatures }: CampaignPreview): ApiFetch {
  return async ({ path }) => {
    if (path === readCampaign.path) return { status: 200, body: { success: true, campaign } }
    if (path === listNews.path) return { status: 200, body: { success: true, novidades: [] } }
    if (path === listCities.path) return { status: 200, body: { success: true, municipios: [] } }
    const count = path === countCampaign.path ? signatures : campaign.baseCount + signatures
    return { status: 200, body: { success: true, count, hoje: 0 } }
  }
}

function pageOf(slug: string) {
  if (slug === interestRatePetition.slug) return PetitionPage
  return slug === deputyCampaign(site.deputado.slug) ? DeputyPage : CampaignPage
}

const context = { site, profiles: site.perfis, menu: site.menu, publicUrl, year: new Date().getFullYear() }

function showCampaign(draft: CampaignPreview): void {
  const { slug, themeColor } = draft.campaign
  document.documentElement.dataset.tema = themeColor
  const data = { [fillPath(readCampaign.path, { slug })]: { success: true, campaign: draft.campaign } }
  const path = campaignPath(slug, site.deputado.slug)
  const store = createStore(answerFromDraft(draft), data)
  root.render(<PageRoot store={store} context={{ ...context, path, params: { slug } }} page={pageOf(slug)} />)
}

/** The footer of the page lists no campaigns. */
const answerNothing: ApiFetch = async () => ({ status: 200, body: { success: true, campaigns: [] } })

function showNews({ news, campaign }: NewsPreview): void {
  const { themeColor = 'red', status = 'live', ...known } = campaign
  document.documentElement.dataset.tema = themeColor
  const now = new Date().toISOString()
  const drafted = { id: 0, n: 1, resumo: '', publicadaEm: now, alteradaEm: now, ...news }
  const page = () => (
    <Layout>
      <NewsArticle news={drafted} campaign={{ ...known, status }} />
    </Layout>
  )
  const params = { slug: campaign.slug, n: String(drafted.n) }
  const path = fillPath(newsPaths.item, params)
  root.render(<PageRoot store={createStore(answerNothing)} context={{ ...context, path, params }} page={page} />)
}

const block = (event: Event) => {
  event.preventDefault()
  event.stopImmediatePropagation()
}
document.addEventListener('submit', block, true)
document.addEventListener('click', (event) => (event.target as Element).closest('a') && block(event), true)

addEventListener('message', ({ source, origin, data }) => {
  if (source !== parent || origin !== location.origin) return
  const draft = data as CampaignPreview | NewsPreview
  if ('news' in draft) showNews(draft)
  else showCampaign(draft)
})
parent.postMessage(previewReady, location.origin)
