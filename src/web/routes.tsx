// What can be seen: every public page, what it loads before it is drawn, what a shared link to it says.
import { applyAsInfluencer, applyAsLeader } from '#contract/applications.ts'
import { peaceCampaign, signCampaign } from '#contract/campaigns.ts'
import { signUp } from '#contract/contacts.ts'
import type { PathParams } from '#contract/endpoint.ts'
import type { PageRoute, ShareTags } from '#contract/page.ts'
import { deputyCampaign, interestRatePetition, signDeputyPetition, signPetition } from '#contract/petitions.ts'
import type { Site } from '#contract/site.ts'
import { campaign } from '#web/api/campaigns.ts'
import { campaignCount, deputyPetitionCount, petitionCount } from '#web/api/petitions.ts'
import type { Query, Store } from '#web/api/store.ts'
import type { PageName } from '#web/pages.ts'

export type Tags = Omit<ShareTags, 'canonical'>

export interface Route extends PageRoute {
  page: PageName
  load(params: PathParams): Query[]
  tags(store: Store, params: PathParams): Tags
  theme?(store: Store, params: PathParams): string
}

export function routes(site: Site): Route[] {
  const deputySlug = deputyCampaign(site.deputado.slug)
  return [
    {
      path: '/',
      page: 'home/home-page',
      form: { path: signUp.path },
      load: () => [],
      tags: () => ({ title: `${site.movimento}: faça parte do movimento`, description: site.lema }),
    },
    {
      path: '/peticao',
      page: 'petitions/petition-page',
      form: { path: signPetition.path },
      ...campaignRoute(site, () => interestRatePetition.slug, petitionCount),
    },
    {
      path: `/${site.deputado.slug}-cassado`,
      page: 'petitions/deputy-page',
      form: { path: signDeputyPetition.path },
      ...campaignRoute(site, () => deputySlug, deputyPetitionCount),
    },
    {
      path: `/${peaceCampaign}`,
      page: 'campaigns/campaign-page',
      form: { path: signCampaign.path, params: { slug: peaceCampaign } },
      ...campaignRoute(site, () => peaceCampaign),
    },
    {
      path: '/p/:slug',
      page: 'campaigns/campaign-page',
      form: { path: signCampaign.path },
      ...campaignRoute(site, ({ slug = '' }) => slug),
    },
    {
      path: '/influenciadoresCOMLULA',
      page: 'applications/influencer-page',
      form: { path: applyAsInfluencer.path, thanks: '/obrigado-influenciadores' },
      load: () => [],
      tags: () => ({
        title: `Influenciadores | ${site.movimento}`,
        description: 'Inscreva-se na rede de influenciadores do movimento.',
      }),
    },
    {
      path: '/formulario-lideres',
      page: 'applications/leader-page',
      form: { path: applyAsLeader.path },
      load: () => [],
      tags: () => ({
        title: `Formulário de líderes | ${site.movimento}`,
        description: 'Candidate-se para organizar o movimento na sua cidade.',
      }),
    },
  ]
}

/** Pages that show a stored campaign read it, count it, and share what it says. */
function campaignRoute(
  site: Site,
  slugOf: (params: PathParams) => string,
  count?: Query,
): Pick<Route, 'load' | 'tags' | 'theme'> {
  const stored = (store: Store, params: PathParams) => store.peek(campaign(slugOf(params)))?.data?.campaign
  return {
    load: (params) => [campaign(slugOf(params)), count ?? campaignCount(slugOf(params))],
    tags(store, params) {
      const known = stored(store, params)
      return {
        title: `${known?.ogTitle ?? known?.titulo ?? 'Petição'} | ${site.movimento}`,
        description: known?.ogDescription ?? known?.subtitulo ?? site.lema,
        image: known?.ogImageUrl ?? undefined,
      }
    },
    theme: (store, params) => stored(store, params)?.themeColor ?? 'red',
  }
}
