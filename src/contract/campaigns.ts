// Campaign pages driven by stored data: reading one, counting it, signing it.
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { countReply, deputyCampaign, interestRatePetition, signatureSchema, signedReply } from '#contract/petitions.ts'

export const campaignSchema = z.object({
  slug: z.string(),
  titulo: z.string(),
  subtitulo: z.nullable(z.string()),
  manifestoHtml: z.string(),
  baseCount: z.number(),
  heroImageUrl: z.nullable(z.string()),
  /** In pixels. A draft in the preview does not know it. */
  heroImageSize: z.optional(z.nullable(z.object({ largura: z.number(), altura: z.number() }))),
  ogTitle: z.nullable(z.string()),
  ogDescription: z.nullable(z.string()),
  ogImageUrl: z.nullable(z.string()),
  themeColor: z.string(),
  versaoManifesto: z.number(),
})

/** The campaign with an address of its own, `/brasilquerpaz`. */
export const peaceCampaign = 'brasilquerpaz'

/** Where a campaign is at home: three have an address of their own, the others share a pattern. */
export function campaignPath(slug: string, deputySlug: string): string {
  const own: Record<string, string> = {
    [interestRatePetition.slug]: '/peticao',
    [deputyCampaign(deputySlug)]: `/${deputySlug}-cassado`,
    [peaceCampaign]: `/${peaceCampaign}`,
  }
  return own[slug] ?? `/p/${slug}`
}

export type Campaign = z.output<typeof campaignSchema>

const slugParams = z.object({
  slug: z.string().check(z.regex(/^[a-z0-9-]{1,100}$/, messages.campaign.notFound)),
})

/** Those on the air, by title. */
export const listActiveCampaigns = endpoint({
  method: 'GET',
  path: '/api/campaigns',
  access: 'anyone',
  reply: z.object({ success: z.boolean(), campaigns: z.array(z.object({ slug: z.string(), titulo: z.string() })) }),
})

export const readCampaign = endpoint({
  method: 'GET',
  path: '/api/campaigns/:slug',
  access: 'anyone',
  params: slugParams,
  reply: z.object({ success: z.boolean(), campaign: campaignSchema }),
})

export const countCampaign = endpoint({
  method: 'GET',
  path: '/api/campaigns/:slug/count',
  access: 'anyone',
  params: slugParams,
  reply: countReply,
})

export const signCampaign = endpoint({
  method: 'POST',
  path: '/api/campaigns/:slug/signatures',
  access: 'anyone',
  params: slugParams,
  body: signatureSchema,
  reply: signedReply,
})
