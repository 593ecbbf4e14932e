// Campaign management: list, create, edit, activate, and the versions of the manifesto.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import type { Campaign } from '#contract/campaigns.ts'
import { endpoint } from '#contract/endpoint.ts'
import { line, optionalLine } from '#contract/fields.ts'
import { text } from '#contract/longer-form-fields.ts'
import { messages } from '#contract/messages.ts'
import { themes } from '#contract/themes.ts'

const { campaign: texts } = adminMessages

/** Maximum values, also for the counters of the form. */
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

/** `/embed/voluntarios` is another page. */
const reservedSlugs = ['voluntarios']

export const slugSchema = line({
  min: 1,
  max: campaignLimits.slug,
  short: texts.slug,
  long: texts.slugLongo,
}).check(
  z.regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, { error: texts.slugForma, abort: true }),
  z.refine((slug) => !reservedSlugs.includes(slug), texts.slugReservado),
)

/** Path of an uploaded image, or null. */
const image = z.pipe(
  z.nullish(z.string(texts.imagem).check(z.regex(/^(\/media\/[0-9a-f]{64}\.[0-9a-z.]{3,10})?$/, texts.imagem))),
  z.transform((value) => value || null),
)

export const campaignFields = z.object({
  titulo: line({ min: 1, max: campaignLimits.titulo, short: texts.titulo, long: texts.tituloLongo }),
  slug: slugSchema,
  subtitulo: optionalLine({ max: campaignLimits.subtitulo, long: texts.subtituloLongo }),
  manifestoHtml: text({
    min: 1,
    max: campaignLimits.manifestoHtml,
    short: texts.manifesto,
    long: texts.manifestoLongo,
  }),
  baseCount: z._default(
    z.int(texts.baseCount).check(z.minimum(0, texts.baseCount), z.maximum(campaignLimits.baseCount, texts.baseCount)),
    0,
  ),
  themeColor: z._default(z.enum(themes, texts.themeColor), 'red'),
  heroImageUrl: image,
  ogTitle: optionalLine({ max: campaignLimits.ogTitle, long: texts.ogTitleLongo }),
  ogDescription: optionalLine({ max: campaignLimits.ogDescription, long: texts.ogDescriptionLonga }),
  ogImageUrl: image,
  sheetTab: line({
    min: 1,
    max: campaignLimits.sheetTab,
    short: texts.sheetTab,
    long: texts.sheetTabLonga,
  }).check(z.regex(/^(?!')[^[\]:*?/\\]+(?<!')$/, texts.sheetTabForma)),
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
  /** Path of the campaign page. */
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
  /** Sent back with an edit, to detect that another administrator saved first. */
  revisao: z.number(),
  /** Why the slug cannot change; null if it can. */
  slugFixo: z.nullable(z.string()),
})

export type CampaignSummary = z.output<z.ZodMiniObject<typeof summary>>
export type StoredCampaign = z.output<typeof storedCampaign>

const savedReply = z.object({ success: z.boolean(), message: z.string(), campaign: storedCampaign })
const positiveInteger = z.string().check(z.regex(/^[1-9]\d{0,8}$/, messages.campaign.notFound))
const numericId = z.pipe(positiveInteger, z.transform(Number))
const idParams = z.object({ id: numericId })

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
  auditAction: 'Criou campanha',
  body: z.extend(campaignFields, { isActive: z._default(z.boolean(), true) }),
  reply: savedReply,
})

/** Replies 409 with a message and the stored campaign, if it changed after the edit began. */
export const updateCampaign = endpoint({
  method: 'PUT',
  path: '/api/admin/campaigns/:id',
  access: 'administrator',
  auditAction: 'Alterou campanha',
  params: idParams,
  body: z.extend(campaignFields, { revisao: z.int(texts.revisao) }),
  reply: savedReply,
})

const activation = {
  method: 'POST',
  access: 'administrator',
  status: 200,
  params: idParams,
  reply: savedReply,
} as const

export const activateCampaign = endpoint({
  ...activation,
  path: '/api/admin/campaigns/:id/ativar',
  auditAction: 'Ativou campanha',
})

export const deactivateCampaign = endpoint({
  ...activation,
  path: '/api/admin/campaigns/:id/desativar',
  auditAction: 'Desativou campanha',
})

/** Links to the campaign, shown before it is deactivated. */
export const listCampaignLinks = endpoint({
  method: 'GET',
  path: '/api/admin/campaigns/:id/links',
  access: 'administrator',
  params: idParams,
  reply: z.object({ success: z.boolean(), links: z.array(z.object({ place: z.string(), name: z.string() })) }),
})

/** Called while the slug is typed. */
export const checkSlug = endpoint({
  method: 'GET',
  path: '/api/admin/campaigns/endereco',
  access: 'administrator',
  query: z.object({ slug: slugSchema, id: z.optional(numericId) }),
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
        /** Null before the first count. */
        signatures: z.nullable(z.number()),
      }),
    ),
    /** Time of the last count and signatures since then; null when one version has all signatures. */
    counted: z.nullable(z.object({ at: z.string(), uncounted: z.number() })),
  }),
})

export const readVersion = endpoint({
  method: 'GET',
  path: '/api/admin/campaigns/:id/versoes/:versao',
  access: 'administrator',
  params: z.object({ id: numericId, versao: numericId }),
  reply: z.object({ success: z.boolean(), html: z.string() }),
})

/** Share image of a campaign without its own image, as a `data:` URL. */
export const drawShareCard = endpoint({
  method: 'GET',
  path: '/api/admin/campaigns/cartao',
  access: 'administrator',
  query: z.object({
    titulo: line({ min: 1, max: campaignLimits.titulo, short: texts.titulo, long: texts.tituloLongo }),
    themeColor: z.enum(themes, texts.themeColor),
    count: z.pipe(z.string(texts.baseCount).check(z.regex(/^\d{1,10}$/, texts.baseCount)), z.transform(Number)),
  }),
  reply: z.object({ success: z.boolean(), image: z.string() }),
})

/** Message from the form to the preview frame. */
export interface CampaignPreview {
  campaign: Campaign
  /** Without the base count. */
  signatures: number
}

export const previewPath = '/admin/previa'
/** Message from the preview frame when it can receive. */
export const previewReady = 'previa pronta'
