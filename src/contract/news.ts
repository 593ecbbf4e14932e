// Public news of campaigns.
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'

export const newsNotFound = 'Novidade não encontrada.'

/** Pages of every campaign, also of those whose own page has another path. */
export const newsPaths = {
  list: '/p/:slug/novidades',
  item: '/p/:slug/novidades/:n',
  feed: '/p/:slug/novidades.atom',
} as const

/** The origin of visitors who followed a link of this news item. */
export const newsOrigin = (id: number) => `novidade-${id}`

const campaignSlug = z.string().check(z.regex(/^[a-z0-9-]{1,100}$/, messages.campaign.notFound))

const listedNews = z.object({
  id: z.number(),
  /** The last part of the address. */
  n: z.number(),
  titulo: z.string(),
  /** The beginning of the text. */
  resumo: z.string(),
  publicadaEm: z.string(),
})
export type ListedNews = z.output<typeof listedNews>

const publishedNews = z.object({
  ...listedNews.shape,
  /** Its links to pages of this site carry the origin of the news item. */
  html: z.string(),
  imagem: z.nullable(z.string()),
  /** In pixels. Unknown in the preview. */
  imagemTamanho: z.optional(z.nullable(z.object({ largura: z.number(), altura: z.number() }))),
  /** The image in the format for shared links. */
  imagemCartao: z.optional(z.nullable(z.string())),
  alteradaEm: z.string(),
})
export type PublishedNews = z.output<typeof publishedNews>

/** The newest first. */
export const listNews = endpoint({
  method: 'GET',
  path: '/api/campaigns/:slug/novidades',
  access: 'anyone',
  params: z.object({ slug: campaignSlug }),
  paramsCode: 'campaign-not-found',
  reply: z.object({ success: z.boolean(), novidades: z.array(listedNews) }),
})

export const readNews = endpoint({
  method: 'GET',
  path: '/api/campaigns/:slug/novidades/:n',
  access: 'anyone',
  params: z.object({ slug: campaignSlug, n: z.string().check(z.regex(/^[1-9]\d{0,5}$/, newsNotFound)) }),
  reply: z.object({ success: z.boolean(), novidade: publishedNews }),
})
