// Public campaign pages: read a campaign, read its count, sign it.
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { countReply, deputyCampaign, interestRatePetition, signatureSchema, signedReply } from '#contract/petitions.ts'

/** `isActive` is the public switch: live, closed and won campaigns are public, a draft is not. */
export const campaignStatuses = ['draft', 'live', 'closed', 'won'] as const
export type CampaignStatus = (typeof campaignStatuses)[number]

/** Which signatures the public count includes: all of them, or those that were confirmed by e-mail. */
export const countingModes = ['signed', 'confirmed'] as const
export type CountingMode = (typeof countingModes)[number]

export const shareChannels = ['whatsapp', 'telegram', 'facebook', 'twitter'] as const
export type ShareChannel = (typeof shareChannels)[number]

const optionalText = z.optional(z.string())
/** Texts by channel. Without one, the text is derived from the title. */
export const shareTextsSchema = z.object({
  whatsapp: optionalText,
  telegram: optionalText,
  facebook: optionalText,
  twitter: optionalText,
} satisfies Record<ShareChannel, unknown>)
export type ShareTexts = z.output<typeof shareTextsSchema>

const heroImage = {
  heroImageUrl: z.nullable(z.string()),
  /** In pixels. Unknown for a draft in the preview. */
  heroImageSize: z.optional(z.nullable(z.object({ largura: z.number(), altura: z.number() }))),
}

/** Null: the next round number is the goal. */
const meta = z.nullable(z.number())
const status = z.enum(campaignStatuses)
const countingMode = z.enum(countingModes)

const campaignSchema = z.object({
  slug: z.string(),
  titulo: z.string(),
  subtitulo: z.nullable(z.string()),
  manifestoHtml: z.string(),
  baseCount: z.number(),
  ...heroImage,
  ogTitle: z.nullable(z.string()),
  ogDescription: z.nullable(z.string()),
  ogImageUrl: z.nullable(z.string()),
  themeColor: z.string(),
  versaoManifesto: z.number(),
  status,
  meta,
  countingMode,
  /** What a closed or won campaign shows instead of its form. */
  resultHtml: z.nullable(z.string()),
  shareTexts: shareTextsSchema,
})

/** What the texts of shared links need. */
export const sharedCampaignSchema = z.object({
  slug: z.string(),
  titulo: z.string(),
  ogTitle: z.nullable(z.string()),
  status,
  shareTexts: shareTextsSchema,
})

/** Slug of the campaign with its own path, `/brasilquerpaz`. */
export const peaceCampaign = 'brasilquerpaz'

/** Path of a campaign page. Three campaigns have their own path; the others use `/p/:slug`. */
export function campaignPath(slug: string, deputySlug: string): string {
  const ownPaths: Record<string, string> = {
    [interestRatePetition.slug]: '/peticao',
    [deputyCampaign(deputySlug)]: `/${deputySlug}-cassado`,
    [peaceCampaign]: `/${peaceCampaign}`,
  }
  return ownPaths[slug] ?? `/p/${slug}`
}

export type Campaign = z.output<typeof campaignSchema>

const bySlug = {
  params: z.object({ slug: z.string().check(z.regex(/^[a-z0-9-]{1,100}$/, messages.campaign.notFound)) }),
  paramsCode: 'campaign-not-found',
} as const

const listedCampaignSchema = z.object({
  slug: z.string(),
  titulo: z.string(),
  /** Path of the campaign page. */
  path: z.string(),
  ...heroImage,
  themeColor: z.string(),
  /** Including the base count. */
  count: z.number(),
  meta,
  status,
})

export type ListedCampaign = z.output<typeof listedCampaignSchema>

/** Active campaigns in the order of the organisers. */
export const listActiveCampaigns = endpoint({
  method: 'GET',
  path: '/api/campaigns',
  access: 'anyone',
  reply: z.object({ success: z.boolean(), campaigns: z.array(listedCampaignSchema) }),
})

export const readCampaign = endpoint({
  method: 'GET',
  path: '/api/campaigns/:slug',
  access: 'anyone',
  ...bySlug,
  reply: z.object({ success: z.boolean(), campaign: campaignSchema }),
})

export const countCampaign = endpoint({
  method: 'GET',
  path: '/api/campaigns/:slug/count',
  access: 'anyone',
  ...bySlug,
  reply: countReply,
})

export const signCampaign = endpoint({
  method: 'POST',
  path: '/api/campaigns/:slug/signatures',
  access: 'anyone',
  ...bySlug,
  body: signatureSchema,
  reply: signedReply,
})
