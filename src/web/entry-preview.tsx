// Preview of a campaign while it is edited: rendered from the values of the admin form, with links and forms disabled.

// Imported first, so that the styles of the components override these.
import '#web/ui/base.css'
import { createRoot } from 'react-dom/client'
import { config } from 'zod/mini'
import { type CampaignPreview, previewReady } from '#contract/admin/campaigns.ts'
import { campaignPath, countCampaign, readCampaign } from '#contract/campaigns.ts'
import { listCities } from '#contract/cities.ts'
import { fillPath } from '#contract/endpoint.ts'
import type { ApiFetch } from '#contract/page.ts'
import { deputyCampaign, interestRatePetition } from '#contract/petitions.ts'
import type { Site } from '#contract/site.ts'
import { createStore } from '#web/api/store.ts'
import { PageRoot } from '#web/page-root.tsx'
import CampaignPage from '#web/pages/campaigns/campaign-page.tsx'
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
    if (path === listCities.path) return { status: 200, body: { success: true, municipios: [] } }
    const count = path === countCampaign.path ? signatures : campaign.baseCount + signatures
    return { status: 200, body: { success: true, count, hoje: 0 } }
  }
}

function pageOf(slug: string) {
  if (slug === interestRatePetition.slug) return PetitionPage
  return slug === deputyCampaign(site.deputado.slug) ? DeputyPage : CampaignPage
}

function show(draft: CampaignPreview): void {
  const { slug, themeColor } = draft.campaign
  document.documentElement.dataset.tema = themeColor
  const data = { [fillPath(readCampaign.path, { slug })]: { success: true, campaign: draft.campaign } }
  const context = {
    path: campaignPath(slug, site.deputado.slug),
    params: { slug },
    site,
    profiles: site.perfis,
    menu: site.menu,
    publicUrl,
    year: new Date().getFullYear(),
  }
  root.render(<PageRoot store={createStore(answerFromDraft(draft), data)} context={context} page={pageOf(slug)} />)
}

const block = (event: Event) => {
  event.preventDefault()
  event.stopImmediatePropagation()
}
document.addEventListener('submit', block, true)
document.addEventListener('click', (event) => (event.target as Element).closest('a') && block(event), true)

addEventListener('message', ({ source, origin, data }) => {
  if (source === parent && origin === location.origin) show(data as CampaignPreview)
})
parent.postMessage(previewReady, location.origin)
