// What can be seen: every public page, what it loads before it is drawn, what a shared link to it says.
import type { PathParams } from '#contract/endpoint.ts'
import type { PageRoute, ShareTags } from '#contract/page.ts'
import { interestRatePetition, signPetition } from '#contract/petitions.ts'
import type { Site } from '#contract/site.ts'
import { campaign } from '#web/api/campaigns.ts'
import { petitionCount } from '#web/api/petitions.ts'
import type { Query, Store } from '#web/api/store.ts'
import type { PageName } from '#web/pages.ts'

export interface Route extends PageRoute {
  page: PageName
  load(params: PathParams): Query[]
  tags(store: Store, site: Site): Omit<ShareTags, 'canonical'>
  theme?(store: Store): string
}

export function routes(): Route[] {
  return [
    {
      path: '/peticao',
      page: 'petitions/petition-page',
      formPath: signPetition.path,
      load: () => [campaign(interestRatePetition.slug), petitionCount],
      tags: (store, site) => campaignTags(store, interestRatePetition.slug, site),
      theme: (store) => campaignOf(store, interestRatePetition.slug)?.themeColor ?? 'red',
    },
  ]
}

function campaignOf(store: Store, slug: string) {
  return store.peek(campaign(slug))?.data?.campaign
}

function campaignTags(store: Store, slug: string, site: Site): Omit<ShareTags, 'canonical'> {
  const known = campaignOf(store, slug)
  return {
    title: `${known?.ogTitle ?? known?.titulo ?? 'Petição'} | ${site.movimento}`,
    description: known?.ogDescription ?? known?.subtitulo ?? site.lema,
    image: known?.ogImageUrl ?? undefined,
  }
}
