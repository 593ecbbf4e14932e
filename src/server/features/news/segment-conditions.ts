// Turns a segment into conditions on the records of each kind.
import { type NewsSegment, segmentFieldsOf } from '#contract/admin/news.ts'
import { type PeopleKind, peopleKinds } from '#contract/admin/people.ts'
import { dayAfter, startOfDay } from '#server/core/brazil-time.ts'
import { foldLatin, foldLatinSql } from '#server/db/accent-folding.ts'

/** The segment without absent values, as it is stored. */
export const storedSegment = (segment: NewsSegment): NewsSegment => JSON.parse(JSON.stringify(segment))

const isRestricted = (value: NewsSegment[keyof NewsSegment]) =>
  Array.isArray(value) ? value.length > 0 : value !== undefined

/** The kinds whose records can match. Only signatures have a campaign, so campaigns do not leave out other kinds. */
export const kindsOf = (segment: NewsSegment): PeopleKind[] =>
  peopleKinds.filter(
    (kind) =>
      segment.tipos.includes(kind) &&
      (['estados', 'cidade'] as const).every(
        (field) => !isRestricted(segment[field]) || segmentFieldsOf[kind].includes(field),
      ),
  )

const personColumns = ['createdAt', 'origem']
const placeColumns = ['cidade', 'estado']

/** The columns that the condition of a segment reads. */
export const segmentColumns: Record<PeopleKind, string[]> = {
  assinaturas: [...personColumns, ...placeColumns, 'campanha'],
  voluntarios: personColumns,
  influenciadores: [...personColumns, ...placeColumns],
  lideres: [...personColumns, ...placeColumns],
}

interface ConditionParts {
  kind: PeopleKind
  segment: NewsSegment
  /** The slugs of the campaigns of the segment. */
  slugs: string[]
  /** Adds a value to the statement and returns its placeholder. */
  value(parameter: unknown): string
}

/** The condition on the record `p`. */
export function segmentCondition({ kind, segment, slugs, value }: ConditionParts): string {
  const { campanhas, estados, cidade, de, ate, etiquetas, origem } = segment
  const conditions = [
    ...(kind === 'assinaturas' && campanhas.length > 0 ? [`p.campanha = any(${value(slugs)}::text[])`] : []),
    ...(estados.length > 0 ? [`p.estado = any(${value(estados)}::text[])`] : []),
    ...(cidade ? [`${foldLatinSql('p.cidade')} = ${value(foldLatin(cidade))}`] : []),
    ...(de ? [`p."createdAt" >= ${value(startOfDay(de))}`] : []),
    ...(ate ? [`p."createdAt" < ${value(startOfDay(dayAfter(ate)))}`] : []),
    ...(origem ? [`p.origem = ${value(origem)}`] : []),
    ...(etiquetas.length > 0
      ? [
          `exists (select from people_workflow w
            where w.kind = '${kind}' and w.id = p.id and w.tags && ${value(etiquetas)}::text[] offset 0)`,
        ]
      : []),
  ]
  return conditions.join(' and ') || 'true'
}
