// What the server knew when it rendered this page. The browser starts from the same, so that both draw the same.
import { createContext, useContext } from 'react'
import type { PathParams } from '#contract/endpoint.ts'
import type { ReturnedForm, Thanked } from '#contract/page.ts'
import type { Site } from '#contract/site.ts'

export interface Visit {
  path: string
  params: PathParams
  /** The thank-you view was asked for: a form was sent without JavaScript. */
  thanked?: Thanked
  /** A form that came back with something to correct. */
  form?: ReturnedForm
  /** What happened instead of a page. */
  problem?: { status: number; message: string }
  /** Drawn to stand in other people's pages. */
  framed?: boolean
  /** Slugs of linked campaigns that are off the air. */
  offAir?: string[]
  site: Omit<Site, 'comunidade' | 'lembrete' | 'botconversa' | 'perfis'>
  /** For the community page alone: other pages do not carry its texts. */
  community?: Site['comunidade']
  /** For the footer, which the server draws, and the contents page: other pages do not carry them. */
  profiles?: Site['perfis']
  publicUrl: string
  year: number
}

export const VisitContext = createContext<Visit | undefined>(undefined)

export function useVisit(): Visit {
  const visit = useContext(VisitContext)
  if (!visit) throw new Error('no visit around this component')
  return visit
}

/** For links that leave the page: from inside a frame they open a tab, rather than our site within a stranger's. */
export function useWayOut(): { target?: '_blank'; rel?: 'noopener' } {
  return useVisit().framed ? { target: '_blank', rel: 'noopener' } : {}
}
