// What a page knows besides its data. The server renders with it.
import { createContext, useContext } from 'react'
import type { PathParams } from '#contract/endpoint.ts'
import type { PageProblem, ReturnedForm, ThanksAudience } from '#contract/page.ts'
import type { RetentionPeriods } from '#contract/retention.ts'
import type { Site } from '#contract/site.ts'

/** What the server knew when it rendered the page. The browser hydrates from it, so that both render the same. */
export interface PageContext {
  path: string
  params: PathParams
  /** Renders the thank-you view: the form was sent without JavaScript. */
  thanked?: ThanksAudience
  /** A submitted form that is returned for correction. */
  form?: ReturnedForm
  problem?: PageProblem
  /** Rendered for embedding in other sites. */
  framed?: boolean
  site: Omit<Site, 'comunidade' | 'lembrete' | 'novidadesPorDia' | 'botconversa' | 'perfis' | 'menu'>
  /** Only on the community page, to keep its texts out of other pages. */
  community?: Site['comunidade']
  /** Only for the footer, which the server renders, and the contents page; the state of other pages omits them. */
  profiles?: Site['perfis']
  /** Only for parts that the server renders: links of the header, slugs of linked campaigns that are inactive, and periods. */
  menu?: Site['menu']
  inactiveCampaigns?: string[]
  retention?: RetentionPeriods
  publicUrl: string
  year: number
}

export const PageContextContext = createContext<PageContext | undefined>(undefined)

export function usePageContext(): PageContext {
  const context = useContext(PageContextContext)
  if (!context) throw new Error('no page context around this component')
  return context
}

/** Attributes of links that leave the page. Inside a frame they open a new tab, else the frame would show our site. */
export function useOutboundLinkProps(): { target?: '_blank'; rel?: 'noopener' } {
  return usePageContext().framed ? { target: '_blank', rel: 'noopener' } : {}
}
