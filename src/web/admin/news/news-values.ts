// Values of the news form: from a stored news item, and to the body of the endpoints.
import {
  defaultSegment,
  type NewsSegment,
  newsSegment,
  type StoredNews,
  segmentFieldsOf,
} from '#contract/admin/news.ts'
import { type PeopleKind, peopleKinds } from '#contract/admin/people.ts'
import type { FormValues } from '#web/forms/submission/form-values.ts'

/** A news item as its form holds it: every value is text. The segment is JSON. */
export type NewsValues = Record<(typeof fieldNames)[number], string>

const fieldNames = ['titulo', 'html', 'imagem', 'naPagina', 'porEmail', 'segmento'] as const

/** Labels of the fields that can be refused, in the order of the form. */
export const newsLabels = {
  campanha: 'Campanha',
  titulo: 'Título',
  html: 'Texto',
  imagem: 'Imagem',
  naPagina: 'Onde publicar',
  porEmail: 'Onde publicar',
  segmento: 'Destinatários',
  'segmento.tipos': 'Quem recebe',
  'segmento.campanhas': 'Campanhas assinadas',
  'segmento.estados': 'Estados',
  'segmento.cidade': 'Cidade',
  'segmento.de': 'Cadastros de',
  'segmento.ate': 'Cadastros até',
  'segmento.etiquetas': 'Etiquetas',
  'segmento.origem': 'Origem',
  'segmento.semRecebedoresDe': 'Deixar de fora',
} as const

const checked = (isChecked: boolean) => (isChecked ? 'on' : '')

export function newValues(campaignId: number | undefined, { byEmail }: { byEmail: boolean }): NewsValues {
  return {
    ...{ titulo: '', html: '', imagem: '', naPagina: checked(true), porEmail: checked(byEmail) },
    segmento: segmentText(segmentOfCampaign(campaignId)),
  }
}

/** Without a campaign: all signatures. */
export const segmentOfCampaign = (campaignId: number | undefined): NewsSegment =>
  campaignId === undefined ? { ...defaultSegment(0), campanhas: [] } : defaultSegment(campaignId)

export function valuesOfNews({ titulo, html, imagem, naPagina, porEmail, segmento }: StoredNews): NewsValues {
  return {
    ...{ titulo, html, imagem: imagem ?? '', naPagina: checked(naPagina), porEmail: checked(porEmail) },
    segmento: segmentText(segmento),
  }
}

/** Picks the fields of a news item from the values of a form. */
export function newsValuesIn(values: FormValues): NewsValues {
  return Object.fromEntries(fieldNames.map((name) => [name, String(values[name] ?? '')])) as NewsValues
}

/** Converts form values to the body of the endpoints. */
export function fieldsToSend({ titulo, html, imagem, naPagina, porEmail, segmento }: NewsValues) {
  return {
    ...{ titulo, html, imagem: imagem || null },
    ...{ naPagina: naPagina !== '', porEmail: porEmail !== '' },
    segmento: JSON.parse(segmento) as unknown,
  }
}

export const differences = (one: NewsValues, other: NewsValues) =>
  fieldNames.filter((name) => one[name] !== other[name])

/** The same text for the same segment, whatever the order in which its parts were chosen. */
export function segmentText(segment: NewsSegment): string {
  const { tipos, campanhas, estados, cidade, de, ate, etiquetas, origem, semRecebedoresDe } = segment
  return JSON.stringify({
    tipos: peopleKinds.filter((kind) => tipos.includes(kind)),
    campanhas: [...campanhas].sort((one, other) => one - other),
    estados: [...estados].sort(),
    etiquetas: [...etiquetas].sort(),
    ...(cidade?.trim() && { cidade: cidade.trim() }),
    ...{ de: de || undefined, ate: ate || undefined, origem: origem?.trim() || undefined, semRecebedoresDe },
  })
}

/** Keeps an invalid segment, such as one without a kind, so that the form can show it. */
export function segmentIn(text: string): NewsSegment {
  const empty: NewsSegment = { ...segmentOfCampaign(undefined), tipos: [] }
  return { ...empty, ...(JSON.parse(text || '{}') as Partial<NewsSegment>) }
}

/** First message for each invalid part, by the name of its field. */
export function segmentErrors(segment: NewsSegment): Record<string, string> {
  const issues = newsSegment.safeParse(segment).error?.issues ?? []
  return Object.fromEntries([...issues].reverse().map(({ path, message }) => [`segmento.${String(path[0])}`, message]))
}

export const hasField = (tipos: readonly PeopleKind[], field: keyof NewsSegment) =>
  tipos.some((kind) => segmentFieldsOf[kind].includes(field))

/** Removes restrictions whose fields are not displayed. */
export function withoutHiddenFields(segment: NewsSegment): NewsSegment {
  const { tipos } = segment
  return {
    ...segment,
    ...(!hasField(tipos, 'campanhas') && { campanhas: [] }),
    ...(!hasField(tipos, 'estados') && { estados: [] }),
    ...(!hasField(tipos, 'cidade') && { cidade: undefined }),
  }
}

/** Kinds that the segment leaves out because they lack a restricted field. */
export function kindsLeftOut({ tipos, estados, cidade }: NewsSegment): PeopleKind[] {
  const restricted = [...(estados.length > 0 ? ['estados' as const] : []), ...(cidade ? ['cidade' as const] : [])]
  return tipos.filter((kind) => restricted.some((field) => !segmentFieldsOf[kind].includes(field)))
}
