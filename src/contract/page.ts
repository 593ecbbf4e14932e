// What the server asks of the rendered pages and what it gets back. Neither side imports the other: they meet here.
import type { Endpoint, PathParams } from '#contract/endpoint.ts'
import type { ShareImage } from '#contract/share.ts'
import type { Site } from '#contract/site.ts'

/** A form that came back: what was typed and what to say about it. */
export interface ReturnedForm {
  values: Record<string, string | string[]>
  message: string
  errors: Record<string, string>
}

/** One call of the contract, over the network or within the process. */
export interface ApiCall {
  method: Endpoint['method']
  /** With its `:names`, as the contract writes it. */
  path: string
  params?: PathParams
  body?: unknown
  requestId?: string
  /** A copy that the browser kept is as good as the server's. */
  kept?: boolean
}

export type ApiFetch = (call: ApiCall) => Promise<{ status: number; body: unknown }>

/** To whom a thank-you view speaks: to everybody, or to those who have a group of their own. */
export type Thanked = 'todos' | 'criadores'

export interface PageRequest {
  path: string
  /** The route of the table that matched, and what its `:names` stand for. */
  route: string
  params: PathParams
  thanked?: Thanked | undefined
  form?: ReturnedForm
}

export interface PageTools {
  fetchApi: ApiFetch
  site: Site
  publicUrl: string
  now: () => Date
  /** Slugs of linked campaigns that are off the air. */
  offAir(): Promise<string[]>
}

export interface ShareTags {
  title: string
  description: string
  /** Absolute path on this site. */
  canonical: string
  /** The site's own when there is none. */
  image?: ShareImage | undefined
  /** Not for search engines: a view that only makes sense to who has just done something. */
  hidden?: boolean
}

export interface RenderedPage {
  status: number
  tags: ShareTags
  /** The route that drew it, with its `:names`. */
  route: string
  /** Key of the page in the build's manifest, from which its scripts and styles follow. */
  source: string
  theme: string
  /** The one stranger's origin that the page may show in a frame. */
  frames?: string
  /** Made to stand in other people's pages: anybody may frame it. */
  framable?: boolean
  /** Complete without scripts: none is loaded and no state is sent. */
  scriptless?: boolean
  html: string
  /** What the browser needs to take the page over, and so all that the page is drawn from. */
  state: unknown
}

export interface PageRoute {
  path: string
  /** Not for search engines. */
  hidden?: boolean
  /** A value of the query that the page reads, among its params. */
  query?: string
  /** The slug of the campaign that the page shows. */
  campaign?(params: PathParams): string
  /** The call that a plain form posted to this page is sent on to; the route's own `:names` are added. */
  form?: {
    path: string
    params?: PathParams
    /** Where it leads when it is not the page's own thank-you view. */
    thanks?: string
    /** Whom the thank-you view speaks to, by what was sent: everybody unless it is told otherwise. */
    thanked?(body: unknown): Thanked
    /** The thank-you view is the answer itself: mail programs that press a button follow no redirection (RFC 8058). */
    inPlace?: boolean
  }
  /** Made to stand in other people's pages; what goes wrong on it is shown there too. */
  framable?: boolean
}

/** The view of a page that thanks for a plain form: this word in its query. */
export const thanksView = 'obrigado'

/** Everything is at hand: draws without waiting, so that what a page is made of can be dropped before the next is drawn. */
export type DrawPage = () => RenderedPage

export interface PageTable {
  routes: PageRoute[]
  prepare(request: PageRequest): Promise<DrawPage>
  /** What is shown instead of a page: not found, or a failure in words. */
  prepareProblem(problem: {
    path: string
    status: number
    message: string
    framable?: boolean | undefined
  }): Promise<DrawPage>
}

export type CreatePageTable = (tools: PageTools) => PageTable
