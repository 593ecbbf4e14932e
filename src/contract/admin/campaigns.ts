// Campaign management: create, edit, publish, schedule, close, order, and the versions of the manifesto.
import * as z from 'zod/mini'
import { optionalMinute } from '#contract/admin/brasilia-minute.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import {
  type Campaign,
  type CountingMode,
  campaignStatuses,
  countingModes,
  type ShareChannel,
  type ShareTexts,
  shareChannels,
} from '#contract/campaigns.ts'
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
  meta: 1_000_000_000,
  resultHtml: 40_000,
  shareText: 1_000,
} as const

/** Twitter accepts 280 characters. It counts 23 for a link, and a space precedes the link. */
const twitterTextLimit = 280 - 23 - 1

export const shareTextLimit = (channel: ShareChannel): number =>
  channel === 'twitter' ? twitterTextLimit : campaignLimits.shareText

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

/** The goal. Absent, empty and null mean none. */
const goal = z.pipe(
  z.transform((value: unknown) => (value === '' || value === undefined ? null : value)),
  z.nullable(z.int(texts.meta).check(z.minimum(1, texts.meta), z.maximum(campaignLimits.meta, texts.meta))),
)

/** Absent and empty both become null. */
const resultHtml = z.pipe(
  z.nullish(text({ max: campaignLimits.resultHtml, short: texts.resultado, long: texts.resultadoLongo })),
  z.transform((html) => html || null),
)

export const channelNames = {
  whatsapp: 'WhatsApp',
  telegram: 'Telegram',
  facebook: 'Facebook',
  twitter: 'Twitter',
} as const satisfies Record<ShareChannel, string>

const shareText = (channel: ShareChannel) => {
  const long = channel === 'twitter' ? texts.twitterLongo : texts.shareTextLongo(channelNames[channel])
  return z.optional(text({ max: shareTextLimit(channel), short: messages.fields.caracteres, long }))
}

/** Empty texts are dropped: without a text, one is derived from the title. */
const shareTexts = z.pipe(
  z._default(
    z.object(
      {
        whatsapp: shareText('whatsapp'),
        telegram: shareText('telegram'),
        facebook: shareText('facebook'),
        twitter: shareText('twitter'),
      },
      texts.shareTexts,
    ),
    {},
  ),
  z.transform((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value)) as typeof all),
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
  meta: goal,
  countingMode: z._default(z.enum(countingModes, texts.countingMode), 'signed'),
  resultHtml,
  shareTexts,
})

export type CampaignFields = z.output<typeof campaignFields>

/** The fields with the texts by channel as fields of their own, for forms and the audit log. */
export type CampaignField = Exclude<keyof CampaignFields, 'shareTexts'> | `shareTexts.${ShareChannel}`

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
  'shareTexts.whatsapp': 'Texto para WhatsApp',
  'shareTexts.telegram': 'Texto para Telegram',
  'shareTexts.facebook': 'Texto para Facebook',
  'shareTexts.twitter': 'Texto para Twitter',
  meta: 'Meta de assinaturas',
  baseCount: 'Contagem inicial',
  countingMode: 'Quando a assinatura entra no contador',
  sheetTab: 'Aba da planilha',
  resultHtml: 'Resultado e agradecimento',
} as const satisfies Record<CampaignField, string>

/** Texts by channel as fields. */
export const shareTextFields = (texts: ShareTexts) =>
  Object.fromEntries(shareChannels.map((channel) => [`shareTexts.${channel}`, texts[channel] ?? ''])) as Record<
    `shareTexts.${ShareChannel}`,
    string
  >

/** `offline` is a published campaign whose public switch is off. */
export const statusNames = {
  draft: 'Rascunho',
  live: 'No ar',
  closed: 'Encerrada',
  won: 'Vitória',
  offline: 'Fora do ar',
} as const

/** What administrators see: the status, or that a published campaign is off the air. */
export const displayedStatus = ({ status, isActive }: Pick<CampaignSummary, 'status' | 'isActive'>) =>
  isActive || status === 'draft' ? status : 'offline'

export const themeNames = { red: 'Vermelho', yellow: 'Amarelo', green: 'Verde', ink: 'Preto' } as const

export const countingModeNames = {
  signed: 'Ao assinar',
  confirmed: 'Só depois de confirmada por e-mail',
} as const satisfies Record<CountingMode, string>

/** The signatures in the public count. Without the base count. */
export const publicSignatures = (
  { signatures, confirmed }: { signatures: number; confirmed: number },
  mode: CountingMode | string,
): number => (mode === 'confirmed' ? confirmed : signatures)

const summary = {
  id: z.number(),
  slug: z.string(),
  titulo: z.string(),
  /** Path of the campaign page. */
  path: z.string(),
  isActive: z.boolean(),
  status: z.enum(campaignStatuses),
  ordem: z.number(),
  meta: z.nullable(z.number()),
  /** When a draft goes live: a minute in Brasília time, such as `2026-11-20T09:00`. */
  publishAt: z.nullable(z.string()),
  /** When a live campaign closes, in Brasília time. */
  closeAt: z.nullable(z.string()),
  baseCount: z.number(),
  /** Without the base count: all of them, and those that are confirmed. */
  signatures: z.number(),
  confirmed: z.number(),
  countingMode: z.enum(countingModes),
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
  resultHtml: z.nullable(z.string()),
  shareTexts: z.object({
    whatsapp: z.optional(z.string()),
    telegram: z.optional(z.string()),
    facebook: z.optional(z.string()),
    twitter: z.optional(z.string()),
  }),
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
  role: 'conteudo',
  reply: z.object({ success: z.boolean(), campaigns: z.array(z.object(summary)) }),
})

export const readStoredCampaign = endpoint({
  method: 'GET',
  path: '/api/admin/campaigns/:id',
  access: 'administrator',
  role: 'conteudo',
  params: idParams,
  reply: z.object({ success: z.boolean(), campaign: storedCampaign }),
})

export const createCampaign = endpoint({
  method: 'POST',
  path: '/api/admin/campaigns',
  access: 'administrator',
  role: 'conteudo',
  auditAction: 'Criou campanha',
  /** Without `isActive` it goes live at once; with `false` it is a draft. */
  body: z.extend(campaignFields, { isActive: z._default(z.boolean(), true) }),
  reply: savedReply,
})

/** Replies 409 with a message and the stored campaign, if it changed after the edit began. */
export const updateCampaign = endpoint({
  method: 'PUT',
  path: '/api/admin/campaigns/:id',
  access: 'administrator',
  role: 'conteudo',
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
  role: 'conteudo',
  auditAction: 'Ativou campanha',
})

export const deactivateCampaign = endpoint({
  ...activation,
  path: '/api/admin/campaigns/:id/desativar',
  role: 'conteudo',
  auditAction: 'Desativou campanha',
})

/** Publishes a draft, closes a campaign, declares it won, or reopens it. Others are refused with 409. */
export const changeCampaignStatus = endpoint({
  ...activation,
  path: '/api/admin/campaigns/:id/situacao',
  role: 'conteudo',
  auditAction: 'Mudou a situação de campanha',
  body: z.object({ status: z.enum(['live', 'closed', 'won'], texts.status) }),
})

const brasiliaMinute = optionalMinute(texts.horario)
const schedule = { publishAt: brasiliaMinute, closeAt: brasiliaMinute }

/** Replies 409 if the schedule is not the one that was on screen (`antes`). */
export const scheduleCampaign = endpoint({
  ...activation,
  method: 'PUT',
  path: '/api/admin/campaigns/:id/agenda',
  role: 'conteudo',
  auditAction: 'Agendou campanha',
  body: z.object({ ...schedule, antes: z.object(schedule, texts.horario) }),
})

export const scheduleLabels = { publishAt: 'Publicar em', closeAt: 'Encerrar em' } as const

/** A new draft with the same texts and images, without signatures. */
export const duplicateCampaign = endpoint({
  ...activation,
  status: 201,
  path: '/api/admin/campaigns/:id/duplicar',
  role: 'conteudo',
  auditAction: 'Duplicou campanha',
})

/** Only drafts can be deleted. */
export const deleteDraft = endpoint({
  ...activation,
  method: 'DELETE',
  path: '/api/admin/campaigns/:id',
  role: 'conteudo',
  auditAction: 'Apagou rascunho de campanha',
  reply: z.object({ success: z.boolean(), message: z.string() }),
})

const move = z.object({
  id: z.int(texts.ordem),
  vizinha: z.int(texts.ordem),
  lado: z.enum(['antes', 'depois'], texts.ordem),
})
export type CampaignMove = z.output<typeof move>

export const reorderCampaigns = endpoint({
  method: 'PUT',
  path: '/api/admin/campaigns/ordem',
  access: 'administrator',
  role: 'conteudo',
  auditAction: 'Ordenou as campanhas',
  /** Moves a campaign next to another one. */
  body: move,
  reply: z.object({ success: z.boolean(), message: z.string(), campaigns: z.array(z.object(summary)) }),
})

/** Links to the campaign, shown before it is deactivated. */
export const listCampaignLinks = endpoint({
  method: 'GET',
  path: '/api/admin/campaigns/:id/links',
  access: 'administrator',
  role: 'conteudo',
  params: idParams,
  reply: z.object({ success: z.boolean(), links: z.array(z.object({ place: z.string(), name: z.string() })) }),
})

/** Called while the slug is typed. */
export const checkSlug = endpoint({
  method: 'GET',
  path: '/api/admin/campaigns/endereco',
  access: 'administrator',
  role: 'conteudo',
  query: z.object({ slug: slugSchema, id: z.optional(numericId) }),
  reply: z.object({ success: z.boolean(), available: z.boolean(), message: z.string() }),
})

export const listVersions = endpoint({
  method: 'GET',
  path: '/api/admin/campaigns/:id/versoes',
  access: 'administrator',
  role: 'conteudo',
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
  role: 'conteudo',
  params: z.object({ id: numericId, versao: numericId }),
  reply: z.object({ success: z.boolean(), html: z.string() }),
})

/** Saves the text of an earlier version as a new version. Replies 409 as an edit does. */
export const restoreVersion = endpoint({
  ...activation,
  path: '/api/admin/campaigns/:id/versoes/:versao/restaurar',
  role: 'conteudo',
  auditAction: 'Restaurou versão do manifesto',
  params: z.object({ id: numericId, versao: numericId }),
  body: z.object({ revisao: z.int(texts.revisao) }),
})

const delivery = { method: 'GET', access: 'administrator', params: idParams, reply: z.unknown() } as const

/** PDF with the manifesto and the totals, to hand the petition over. */
export const downloadDelivery = endpoint({
  ...delivery,
  path: '/api/admin/campaigns/:id/entrega.pdf',
  role: 'conteudo',
  auditAction: 'Baixou o PDF de entrega',
})

/** The same with the names, cities and states of everybody who signed: personal data, so a separate choice. */
export const downloadDeliveryWithNames = endpoint({
  ...delivery,
  path: '/api/admin/campaigns/:id/entrega-com-nomes.pdf',
  recentLogin: true,
  auditAction: 'Baixou o PDF de entrega com a lista de nomes',
})

/** Share image of a campaign without its own image, as a `data:` URL. */
export const drawShareCard = endpoint({
  method: 'GET',
  path: '/api/admin/campaigns/cartao',
  access: 'administrator',
  role: 'conteudo',
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
