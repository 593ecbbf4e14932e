// Page components by name, for rendering on the server. The browser receives only the file name of its page.
import type { ComponentType } from 'react'

export type PageName =
  | 'applications/form-test-page'
  | 'applications/influencer-page'
  | 'applications/influencer-thanks-page'
  | 'applications/leader-page'
  | 'campaigns/campaign-page'
  | 'campaigns/campaigns-page'
  | 'community/community-page'
  | 'contents/contents-page'
  | 'email-links/confirm-page'
  | 'email-links/link-problem-page'
  | 'email-links/not-me-page'
  | 'email-links/unsubscribe-page'
  | 'embeds/embed-codes-page'
  | 'embeds/embed-test-page'
  | 'embeds/petition-embed-page'
  | 'embeds/volunteer-embed-page'
  | 'home/home-page'
  | 'news/news-item-page'
  | 'news/news-page'
  | 'own-data/own-data-page'
  | 'petitions/deputy-page'
  | 'petitions/petition-page'
  | 'problems/problem-page'
  | 'texts/methodology-page'
  | 'texts/privacy-page'

const modules = import.meta.glob<{ default: ComponentType }>('./pages/*/*-page.tsx')
const loaded = new Map<PageName, ComponentType>()

/** Importing takes as long as rendering, so each page is imported once. In development: at every rendering. */
export async function loadPage(name: PageName): Promise<ComponentType> {
  const cached = loaded.get(name)
  if (cached) return cached
  const load = modules[`./pages/${name}.tsx`]
  if (!load) throw new Error(`no page ${name}`)
  const page = (await load()).default
  if (!import.meta.hot) loaded.set(name, page)
  return page
}

/** Key of a page in the build's manifest. */
export const pageSource = (name: PageName) => `src/web/pages/${name}.tsx`
