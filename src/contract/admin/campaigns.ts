// Campaigns as administrators keep them: listing, writing, switching on and off, and the versions of what people signed.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import type { Campaign } from '#contract/campaigns.ts'
import { endpoint } from '#contract/endpoint.ts'
import { line, optionalLine } from '#contract/fields.ts'
import { text } from '#contract/longer-form-fields.ts'
import { messages } from '#contract/messages.ts'
import { themes } from '#contract/themes.ts'

const { campaign: sentences } = adminMessages

/** How much fits, for the counters of the form. */
export const campaignLimits = {
  slug: 100,
  titulo: 200,
  subtitulo: 300,
  manifestoHtml: 40_000,
  baseCount: 1_000_000_000,
  sheetTab: 50,
  ogTitle: 200,
  ogDescription: 500,
} as const

/** `/embed/voluntarios` is a page of its own. */
const reservedSlugs = ['voluntarios']

export const slugSchema = line({
  min: 1,
  max: campaignLimits.slug,
  short: sentences.slug,
  long: sentences.slugLongo,
}).check(
  z.regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, { error: sentences.slugForma, abort: true }),
  z.refine((slug) => !reservedSlugs.includes(slug), sentences.slugReservado),
)

/** An image of ours, or none. */
const image = z.pipe(
  z.nullish(z.string(sentences.imagem).check(z.regex(/^(\/media\/[0-9a-f]{64}\.[0-9a-z.]{3,10})?$/, sentences.imagem))),
  z.transform((value) => value || null),
)

export const campaignFields = z.object({
  titulo: line({ min: 1, max: campaignLimits.titulo, short: sentences.titulo, long: sentences.tituloLongo }),
  slug: slugSchema,
  subtitulo: optionalLine({ max: campaignLimits.subtitulo, long: sentences.subtituloLongo }),
  manifestoHtml: text({
    min: 1,
    max: campaignLimits.manifestoHtml,
    short: sentences.manifesto,
    long: sentences.manifestoLongo,
  }),
  baseCount: z._default(
    z
      .int(sentences.baseCount)
      .check(z.minimum(0, sentences.baseCount), z.maximum(campaignLimits.baseCount, sentences.baseCount)),
    0,
  ),
  themeColor: z._default(z.enum(themes, sentences.themeColor), 'red'),
  heroImageUrl: image,
  ogTitle: optionalLine({ max: campaignLimits.ogTitle, long: sentences.ogTitleLongo }),
  ogDescription: optionalLine({ max: campaignLimits.ogDescription, long: sentences.ogDescriptionLonga }),
  ogImageUrl: image,
  sheetTab: line({
    min: 1,
    max: campaignLimits.sheetTab,
    short: sentences.sheetTab,
    long: sentences.sheetTabLonga,
  }).check(z.regex(/^(?!')[^[\]:*?/\\]+(?<!')$/, sentences.sheetTabForma)),
})

export type CampaignFields = z.output<typeof campaignFields>

/** In the order of the form. */
export const campaignLabels = {
  titulo: 'Título',
  slug: 'Endereço da página',
  subtitulo: 'Subtítulo',
  manifestoHtml: 'Manifesto',
  themeColor: 'Cor',
  heroImageUrl: 'Imagem da página',
  ogTitle: 'Título do link',
  ogDescription: 'Descrição do link',
  ogImageUrl: 'Imagem do link',
  baseCount: 'Contagem inicial',
  sheetTab: 'Aba da planilha',
} as const satisfies Record<keyof CampaignFields, string>

export const themeNames = { red: 'Vermelho', yellow: 'Amarelo', green: 'Verde', ink: 'Preto' } as const

const summary = {
  id: z.number(),
  slug: z.string(),
  titulo: z.string(),
  /** Where it is at home. */
  path: z.string(),
  isActive: z.boolean(),
  baseCount: z.number(),
  /** Without the base count. */
  signatures: z.number(),
  versaoManifesto: z.number(),
  updatedAt: z.string(),
  alteradaPor: z.nullable(z.string()),
}

const storedCampaign = z.object({
  ...summary,
  subtitulo: z.nullable(z.string()),
  manifestoHtml: z.string(),
  themeColor: z.string(),
  heroImageUrl: z.nullable(z.string()),
  ogTitle: z.nullable(z.string()),
  ogDescription: z.nullable(z.string()),
  ogImageUrl: z.nullable(z.string()),
  sheetTab: z.string(),
  /** To be sent back with an edit: it tells whether somebody else was quicker. */
  revisao: z.number(),
  /** Why the slug cannot be changed, if it cannot. */
  slugFixo: z.nullable(z.string()),
})

export type CampaignSummary = z.output<z.ZodMiniObject<typeof summary>>
export type StoredCampaign = z.output<typeof storedCampaign>

const written = z.object({ success: z.boolean(), message: z.string(), campaign: storedCampaign })
const number = z.string().check(z.regex(/^[1-9]\d{0,8}$/, messages.campaign.notFound))
const asNumber = z.pipe(number, z.transform(Number))
const idParams = z.object({ id: asNumber })

export const listCampaigns = endpoint({
  method: 'GET',
  path: '/api/admin/campaigns',
  access: 'administrator',
  reply: z.object({ success: z.boolean(), campaigns: z.array(z.object(summary)) }),
})

export const readStoredCampaign = endpoint({
  method: 'GET',
  path: '/api/admin/campaigns/:id',
  access: 'administrator',
  params: idParams,
  reply: z.object({ success: z.boolean(), campaign: storedCampaign }),
})

export const createCampaign = endpoint({
  method: 'POST',
  path: '/api/admin/campaigns',
  access: 'administrator',
  deed: 'Criou campanha',
  body: z.extend(campaignFields, { isActive: z._default(z.boolean(), true) }),
  reply: written,
})

/** Refused with 409, a sentence and what is stored, when that is not what the edit began with. */
export const updateCampaign = endpoint({
  method: 'PUT',
  path: '/api/admin/campaigns/:id',
  access: 'administrator',
  deed: 'Alterou campanha',
  params: idParams,
  body: z.extend(campaignFields, { revisao: z.int(sentences.revisao) }),
  reply: written,
})

export const activateCampaign = endpoint({
  method: 'POST',
  path: '/api/admin/campaigns/:id/ativar',
  access: 'administrator',
  deed: 'Ativou campanha',
  status: 200,
  params: idParams,
  reply: written,
})

export const deactivateCampaign = endpoint({
  method: 'POST',
  path: '/api/admin/campaigns/:id/desativar',
  access: 'administrator',
  deed: 'Desativou campanha',
  status: 200,
  params: idParams,
  reply: written,
})

/** Asked before it is taken off the air. */
export const listCampaignLinks = endpoint({
  method: 'GET',
  path: '/api/admin/campaigns/:id/links',
  access: 'administrator',
  params: idParams,
  reply: z.object({ success: z.boolean(), links: z.array(z.object({ place: z.string(), name: z.string() })) }),
})

/** Asked while somebody types. */
export const checkSlug = endpoint({
  method: 'GET',
  path: '/api/admin/campaigns/endereco',
  access: 'administrator',
  query: z.object({ slug: slugSchema, id: z.optional(asNumber) }),
  reply: z.object({ success: z.boolean(), available: z.boolean(), message: z.string() }),
})

export const listVersions = endpoint({
  method: 'GET',
  path: '/api/admin/campaigns/:id/versoes',
  access: 'administrator',
  params: idParams,
  reply: z.object({
    success: z.boolean(),
    versions: z.array(
      z.object({
        versao: z.number(),
        autor: z.nullable(z.string()),
        createdAt: z.string(),
        /** Nothing until they have been counted for the first time. */
        signatures: z.nullable(z.number()),
      }),
    ),
    /** When they were counted one by one, and how many came since; nothing where one version has them all. */
    counted: z.nullable(z.object({ at: z.string(), uncounted: z.number() })),
  }),
})

export const readVersion = endpoint({
  method: 'GET',
  path: '/api/admin/campaigns/:id/versoes/:versao',
  access: 'administrator',
  params: z.object({ id: asNumber, versao: asNumber }),
  reply: z.object({ success: z.boolean(), html: z.string() }),
})

/** The picture that a shared link shows when the campaign has none of its own, as a `data:` address. */
export const drawShareCard = endpoint({
  method: 'GET',
  path: '/api/admin/campaigns/cartao',
  access: 'administrator',
  query: z.object({
    titulo: line({ min: 1, max: campaignLimits.titulo, short: sentences.titulo, long: sentences.tituloLongo }),
    themeColor: z.enum(themes, sentences.themeColor),
    count: z.pipe(z.string(sentences.baseCount).check(z.regex(/^\d{1,10}$/, sentences.baseCount)), z.transform(Number)),
  }),
  reply: z.object({ success: z.boolean(), image: z.string() }),
})

/** What the form tells the preview beside it, and what the preview says when it can listen. */
export interface CampaignPreview {
  campaign: Campaign
  /** Without the base count. */
  signatures: number
}

export const previewPath = '/admin/previa'
export const previewReady = 'previa pronta'
