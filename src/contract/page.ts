// Interface between the server and the rendered pages. Neither side imports the other.
import type { Endpoint, PathParams } from '#contract/endpoint.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import type { RetentionPeriods } from '#contract/retention.ts'
import type { ShareImage } from '#contract/share.ts'
import type { Site } from '#contract/site.ts'

/** A rejected form, shown again with its values and errors. */
export interface ReturnedForm {
  values: Record<string, string | string[]>
  message: string
  errors: Record<string, string>
}

/** One API call, over the network or within the process. */
interface ApiCall {
  method: Endpoint['method']
  /** Path with `:names`, as in the contract. */
  path: string
  params?: PathParams
  body?: unknown
  requestId?: string
  /** The browser may use its cached reply without asking the server. */
  kept?: boolean
}

export type ApiFetch = (call: ApiCall) => Promise<{ status: number; body: unknown }>

/** Audience of a thank-you view: everybody, or content creators, who have their own group. */
export type ThanksAudience = 'todos' | 'criadores'

export interface PageRequest {
  path: string
  /** Path pattern of the matched route; `params` are the values of its `:names`. */
  route: string
  params: PathParams
  thanked?: ThanksAudience | undefined
  form?: ReturnedForm
}

export interface PageTools {
  fetchApi: ApiFetch
  /** The settings at the start. The paths of the routes depend only on settings that never change. */
  initialSite: Site
  currentSite(): Promise<Site>
  publicUrl: string
  retention: RetentionPeriods
  now: () => Date
  /** Slugs of campaigns linked by these settings that are inactive. */
  inactiveCampaigns(site: Site): Promise<string[]>
}

export interface ShareTags {
  title: string
  description: string
  /** Absolute path on this site. */
  canonical: string
  /** Default: the image of the site. */
  image?: ShareImage | undefined
  /** Not for search engines: the view makes sense only after an action of the visitor, or has nothing to show. */
  hidden?: boolean
  /** The page is an article. */
  article?: { headline: string; publishedAt: string; modifiedAt: string }
  /** The Atom feed of the page. */
  feed?: { path: string; title: string }
}

export interface RenderedPage {
  status: number
  /** The settings that the page was rendered with. */
  site: Site
  tags: ShareTags
  /** Path pattern of the rendered route. */
  route: string
  /** Key of the page in the build manifest, which lists its scripts and styles. */
  source: string
  theme: string
  /** The only external origin that the page may show in a frame. */
  frames?: string
  /** Any site may show the page in a frame. */
  framable?: boolean
  /** Works without scripts: no script is loaded and no state is sent. */
  scriptless?: boolean
  /** A page without scripts for hydration loads a small one that passes the origin of the visit on. */
  passesOrigin?: boolean
  html: string
  /** Data for hydration in the browser. The page is rendered from this data alone. */
  state: unknown
}

export interface PageRoute {
  path: string
  /** Not for search engines. */
  hidden?: boolean
  /** Name of a query parameter that the page reads; its value is added to the params. */
  query?: string
  /** The address contains a secret: the page is for one person, is not cached, and sends no referrer. */
  personal?: boolean
  /** Slug of the campaign on the page. */
  campaign?(params: PathParams): string
  /** Endpoint for HTML forms posted to this page; the params of the route are added. */
  form?: {
    path: string
    params?: PathParams
    /** Redirect target, with `:names` for parameters. Default: the thank-you view of the page. */
    thanks?: string
    /** Audience of the thank-you view, from the request body. Default: everybody. */
    thanked?(body: unknown): ThanksAudience
    /** Replies with the thank-you view instead of a redirect: one-click POSTs follow no redirect (RFC 8058). */
    inPlace?: boolean
  }
  /** Any site may show the page, and its error pages, in a frame. */
  framable?: boolean
}

/** Query parameter that selects the thank-you view of a page, after an HTML form. */
export const thanksView = 'obrigado'

/** The error that is shown instead of a page. */
export interface PageProblem {
  status: number
  code: RefusalCode
  message: string
}

/** Renders synchronously from loaded data, so that its memory can be freed before the next page is rendered. */
export type RenderPage = () => RenderedPage

export interface PageTable {
  routes: PageRoute[]
  prepare(request: PageRequest): Promise<RenderPage>
  /** Error page: not found, or an error message. */
  prepareErrorPage(problem: PageProblem & { path: string; framable?: boolean | undefined }): Promise<RenderPage>
}

export type CreatePageTable = (tools: PageTools) => PageTable
