// Campaign news: writing, publishing, choosing recipients, sending by e-mail, results.
import * as z from 'zod/mini'
import { brasiliaMinute } from '#contract/admin/brasilia-minute.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { cursorQuery, cursorReply } from '#contract/admin/paging.ts'
import { day, filter, type PeopleKind, peopleKinds } from '#contract/admin/people.ts'
import { tagField } from '#contract/admin/people-workflow.ts'
import type { Campaign } from '#contract/campaigns.ts'
import { endpoint } from '#contract/endpoint.ts'
import { line, unstorable } from '#contract/fields.ts'
import { text } from '#contract/longer-form-fields.ts'
import type { PublishedNews } from '#contract/news.ts'
import { stateCodes } from '#contract/states.ts'

const { news: texts } = adminMessages

/** Maximum values, also for the counters of the form. */
export const newsLimits = { title: 200, html: 40_000, segmentName: 60, segments: 50 } as const

export const newsStatuses = { draft: 'Rascunho', scheduled: 'Agendada', published: 'Publicada' } as const
export type NewsStatus = keyof typeof newsStatuses

/**
 * preparing: the recipients are collected. prepared: they are counted, and sending has not begun.
 */
export const sendStatuses = {
  preparing: 'Contando destinatários',
  prepared: 'Destinatários contados',
  sending: 'Enviando',
  paused: 'Pausado',
  done: 'Concluído',
  cancelled: 'Cancelado',
} as const
export type SendStatus = keyof typeof sendStatuses

/** Why a record gets no e-mail, in the order in which they are checked. Counted by record. */
export const exclusionReasons = {
  'sem-aceite': 'não aceitaram receber novidades',
  'sem-confirmacao': 'não confirmaram o endereço de e-mail',
  'nao-contatar': 'pediram para não receber nenhum e-mail',
  descadastrado: 'saíram das novidades',
  suspenso: 'têm o endereço suspenso por recusa ou reclamação',
  'fora-da-campanha': 'não querem novidades desta campanha',
  'ja-recebeu': 'já receberam a novidade escolhida',
  repetido: 'têm outro cadastro que já recebe este e-mail',
} as const
export type ExclusionReason = keyof typeof exclusionReasons

const id = z.int(texts.segment).check(z.minimum(1, texts.segment))
const list = <S extends z.ZodMiniType>(item: S, max: number) =>
  z._default(z.array(item, texts.segment).check(z.maxLength(max, texts.segment)), [])
const shortText = (max: number) =>
  z.string(texts.segment).check(
    z.trim(),
    z.maxLength(max, texts.segment),
    z.refine((value) => !unstorable.test(value), texts.segment),
  )

/**
 * Who gets the e-mail, before consent and confirmation are checked. Empty lists and absent values do not restrict.
 * A kind without a field is left out when the field is restricted, except that campaigns restrict only signatures.
 */
export const newsSegment = z
  .object(
    {
      tipos: z
        .array(z.enum(peopleKinds, texts.segmentKinds), texts.segmentKinds)
        .check(z.minLength(1, texts.segmentKinds), z.maxLength(peopleKinds.length, texts.segmentKinds)),
      campanhas: list(id, 100),
      estados: list(z.enum(stateCodes, texts.segment), stateCodes.length),
      cidade: filter(shortText(120)),
      de: filter(day(texts.segment)),
      ate: filter(day(texts.segment)),
      etiquetas: list(tagField(), 20),
      origem: filter(shortText(60)),
      /** Leaves out the recipients of this news item. */
      semRecebedoresDe: filter(id),
    },
    texts.segment,
  )
  .check(z.refine(({ de, ate }) => !de || !ate || de <= ate, { error: texts.segmentDates, path: ['ate'] }))
export type NewsSegment = z.output<typeof newsSegment>

/** The segment of a new news item: the signatures of its campaign. */
export const defaultSegment = (campaignId: number): NewsSegment => ({
  ...{ tipos: ['assinaturas'], campanhas: [campaignId], estados: [], etiquetas: [] },
  ...{ cidade: undefined, de: undefined, ate: undefined, origem: undefined, semRecebedoresDe: undefined },
})

/** The fields of a segment that apply to a kind. */
export const segmentFieldsOf: Record<PeopleKind, readonly (keyof NewsSegment)[]> = {
  assinaturas: ['campanhas', 'estados', 'cidade'],
  voluntarios: [],
  influenciadores: ['estados', 'cidade'],
  lideres: ['estados', 'cidade'],
}

/** Path of an uploaded image, or null. */
const image = z.pipe(
  z.nullish(z.string(texts.image).check(z.regex(/^(\/media\/[0-9a-f]{64}\.[0-9a-z.]{3,10})?$/, texts.image))),
  z.transform((value) => value || null),
)

const fields = {
  titulo: line({ min: 1, max: newsLimits.title, short: texts.title, long: texts.titleLong }),
  html: text({ min: 1, max: newsLimits.html, short: texts.html, long: texts.htmlLong }),
  imagem: image,
  naPagina: z.boolean(texts.destination),
  porEmail: z.boolean(texts.destination),
  segmento: newsSegment,
}
export const newsFields = z
  .object(fields)
  .check(z.refine(({ naPagina, porEmail }) => naPagina || porEmail, { error: texts.destination, path: ['porEmail'] }))
export type NewsFields = z.output<typeof newsFields>

/** A count of recipients that is older is repeated when the news item is published. */
export const countIsFreshMinutes = 10

const newsCampaign = z.object({ id: z.number(), slug: z.string(), titulo: z.string() })

const sendProgress = z.object({
  status: z.enum(Object.keys(sendStatuses) as SendStatus[]),
  /** Records read so far, and an estimate of all records, while `preparing`. */
  lidos: z.number(),
  aLer: z.number(),
  destinatarios: z.number(),
  /** Records that get no e-mail, by reason. */
  excluidos: z.record(z.string(), z.number()),
  /** Accepted and rejected by the mail server; no longer allowed when it was their turn. */
  aceitos: z.number(),
  recusados: z.number(),
  dispensados: z.number(),
  /** Dead letters: the mail server failed too often. */
  parados: z.number(),
  /** Waiting until tomorrow because of the daily limit per address. */
  adiados: z.number(),
  descadastros: z.number(),
  /** Remaining time at the configured rate, without those who wait until tomorrow; null if unknown. */
  segundosRestantes: z.nullable(z.number()),
  contadosEm: z.nullable(z.string()),
  comecouEm: z.nullable(z.string()),
  terminouEm: z.nullable(z.string()),
  /** Why the site paused the sending; null if it runs, or if an administrator paused it. */
  motivoPausa: z.nullable(z.string()),
  /** The segment has changed since the recipients were counted. */
  desatualizada: z.boolean(),
})
export type SendProgress = z.output<typeof sendProgress>

const summary = {
  id: z.number(),
  /** The last part of the public address; null before the first publication on the page. */
  n: z.nullable(z.number()),
  titulo: z.string(),
  campanha: newsCampaign,
  status: z.enum(Object.keys(newsStatuses) as NewsStatus[]),
  naPagina: z.boolean(),
  porEmail: z.boolean(),
  /** A minute in Brasília time. */
  agendadaPara: z.nullable(z.string()),
  publicadaEm: z.nullable(z.string()),
  alteradaEm: z.string(),
  autor: z.string(),
  /** Null: no e-mail, or recipients not counted. */
  envio: z.nullable(sendProgress),
}
const newsSummary = z.object(summary)
export type NewsSummary = z.output<typeof newsSummary>

const storedNews = z.object({
  ...summary,
  html: z.string(),
  imagem: z.nullable(z.string()),
  segmento: newsSegment,
  revisao: z.number(),
})
export type StoredNews = z.output<typeof storedNews>

/**
 * Message from the form to the preview frame (`previewPath`), which shows the page of the news item. Without theme and
 * status, the campaign is shown as a live one in red.
 */
export interface NewsPreview {
  news: Pick<PublishedNews, 'titulo' | 'html' | 'imagem'> & Partial<PublishedNews>
  campaign: Pick<Campaign, 'slug' | 'titulo'> & Partial<Pick<Campaign, 'themeColor' | 'status'>>
}

const idParams = z.object({
  id: z.pipe(z.string().check(z.regex(/^[1-9]\d{0,8}$/, texts.notFound)), z.transform(Number)),
})
const admin = { access: 'administrator', params: idParams } as const
const savedReply = z.object({ success: z.boolean(), message: z.string(), novidade: storedNews })
const messageReply = z.object({ success: z.boolean(), message: z.string() })

export const newsPerPage = 25

/** The latest first. */
export const listAdminNews = endpoint({
  method: 'GET',
  path: '/api/admin/novidades',
  access: 'administrator',
  role: 'conteudo',
  query: z.object(cursorQuery(/^[1-9]\d{0,14}$/)),
  reply: z.object({ success: z.boolean(), novidades: z.array(newsSummary), ...cursorReply }),
})

export const readAdminNews = endpoint({
  ...admin,
  method: 'GET',
  path: '/api/admin/novidades/:id',
  role: 'conteudo',
  reply: z.object({ success: z.boolean(), novidade: storedNews }),
})

export const createNews = endpoint({
  method: 'POST',
  path: '/api/admin/novidades',
  access: 'administrator',
  role: 'conteudo',
  auditAction: 'Criou novidade',
  body: z.extend(newsFields, { campanha: z.int(texts.campaign).check(z.minimum(1, texts.campaign)) }),
  reply: savedReply,
})

/**
 * Replies 409 with the stored news item, if it changed after the edit began. A published one that was taken off the page
 * may have no destination.
 */
export const updateNews = endpoint({
  ...admin,
  method: 'PUT',
  path: '/api/admin/novidades/:id',
  role: 'conteudo',
  auditAction: 'Alterou novidade',
  body: z.object({ ...fields, revisao: z.int(texts.revision) }),
  reply: savedReply,
})

/** Only drafts can be deleted. */
export const deleteNews = endpoint({
  ...admin,
  method: 'DELETE',
  path: '/api/admin/novidades/:id',
  role: 'conteudo',
  auditAction: 'Apagou rascunho de novidade',
  reply: messageReply,
})

const revision = { revisao: z.int(texts.revision) }

/** Publishes a draft or a scheduled news item now, and starts sending. */
export const publishNews = endpoint({
  ...admin,
  method: 'POST',
  path: '/api/admin/novidades/:id/publicar',
  role: 'conteudo',
  auditAction: 'Publicou novidade',
  status: 200,
  body: z.object(revision),
  reply: savedReply,
})

export const scheduleNews = endpoint({
  ...admin,
  method: 'PUT',
  path: '/api/admin/novidades/:id/agenda',
  role: 'conteudo',
  auditAction: 'Agendou novidade',
  body: z.object({ ...revision, quando: brasiliaMinute(texts.minute) }),
  reply: savedReply,
})

export const unscheduleNews = endpoint({
  ...admin,
  method: 'DELETE',
  path: '/api/admin/novidades/:id/agenda',
  role: 'conteudo',
  auditAction: 'Cancelou o agendamento de novidade',
  reply: savedReply,
})

/** Shows or hides a published news item on the page of the campaign. */
export const showNews = endpoint({
  ...admin,
  method: 'PUT',
  path: '/api/admin/novidades/:id/pagina',
  role: 'conteudo',
  auditAction: 'Mudou a novidade na página',
  body: z.object({ naPagina: z.boolean(texts.destination) }),
  reply: savedReply,
})

/** The news item as an e-mail and as a text for WhatsApp, with the address of the page. */
export const previewNews = endpoint({
  ...admin,
  method: 'GET',
  path: '/api/admin/novidades/:id/previa',
  role: 'conteudo',
  reply: z.object({
    success: z.boolean(),
    email: z.object({ assunto: z.string(), html: z.string(), texto: z.string() }),
    whatsapp: z.string(),
    link: z.string(),
  }),
})

/** Sends the e-mail to the administrator's own address. */
export const testNews = endpoint({
  ...admin,
  method: 'POST',
  path: '/api/admin/novidades/:id/teste',
  auditAction: 'Enviou teste de novidade',
  status: 200,
  reply: messageReply,
})

/** Starts to collect and count the recipients. */
export const countRecipients = endpoint({
  ...admin,
  method: 'POST',
  path: '/api/admin/novidades/:id/contar',
  auditAction: 'Contou os destinatários de novidade',
  status: 200,
  reply: messageReply,
})

export const readSend = endpoint({
  ...admin,
  method: 'GET',
  path: '/api/admin/novidades/:id/envio',
  role: 'conteudo',
  reply: z.object({ success: z.boolean(), envio: z.nullable(sendProgress) }),
})

const sendChange = { ...admin, method: 'POST', status: 200, reply: messageReply } as const

export const pauseSend = endpoint({
  ...sendChange,
  path: '/api/admin/novidades/:id/envio/pausar',
  auditAction: 'Pausou envio de novidade',
})

export const resumeSend = endpoint({
  ...sendChange,
  path: '/api/admin/novidades/:id/envio/retomar',
  auditAction: 'Retomou envio de novidade',
})

export const cancelSend = endpoint({
  ...sendChange,
  path: '/api/admin/novidades/:id/envio/cancelar',
  auditAction: 'Cancelou envio de novidade',
})

/** Signatures and sign-ups that came through links of the news item. */
export const readNewsResults = endpoint({
  ...admin,
  method: 'GET',
  path: '/api/admin/novidades/:id/resultados',
  role: 'conteudo',
  reply: z.object({
    success: z.boolean(),
    porTipo: z.object({
      assinaturas: z.number(),
      voluntarios: z.number(),
      influenciadores: z.number(),
      lideres: z.number(),
    } satisfies Record<PeopleKind, unknown>),
  }),
})

const savedSegment = z.object({ id: z.number(), nome: z.string(), segmento: newsSegment, autor: z.string() })
export type SavedSegment = z.output<typeof savedSegment>

export const listSegments = endpoint({
  method: 'GET',
  path: '/api/admin/novidades/selecoes',
  access: 'administrator',
  reply: z.object({ success: z.boolean(), selecoes: z.array(savedSegment) }),
})

export const saveSegment = endpoint({
  method: 'POST',
  path: '/api/admin/novidades/selecoes',
  access: 'administrator',
  auditAction: 'Salvou uma seleção de destinatários',
  body: z.object({
    nome: line({ min: 1, max: newsLimits.segmentName, short: texts.segmentName, long: texts.segmentName }),
    segmento: newsSegment,
  }),
  reply: messageReply,
})

export const removeSegment = endpoint({
  ...admin,
  method: 'DELETE',
  path: '/api/admin/novidades/selecoes/:id',
  auditAction: 'Apagou uma seleção de destinatários',
  reply: messageReply,
})
