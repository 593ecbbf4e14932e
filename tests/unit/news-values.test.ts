// The segment of a news item as its form holds it.
import { expect, test } from 'vitest'
import { defaultSegment, type NewsSegment } from '#contract/admin/news.ts'
import {
  kindsLeftOut,
  segmentErrors,
  segmentIn,
  segmentText,
  withoutHiddenFields,
} from '#web/admin/news/news-values.ts'

const segment = (changes: Partial<NewsSegment> = {}): NewsSegment => ({ ...defaultSegment(7), ...changes })

test('the order in which parts were chosen does not change the text of a segment', () => {
  const one = segment({ tipos: ['lideres', 'assinaturas'], campanhas: [12, 7], estados: ['SP', 'BA'] })
  const other = segment({ tipos: ['assinaturas', 'lideres'], campanhas: [7, 12], estados: ['BA', 'SP'] })
  expect(segmentText(one)).toBe(segmentText(other))
})

test('empty texts do not restrict', () => {
  expect(segmentText(segment({ cidade: ' ', origem: '', de: '' }))).toBe(segmentText(segment()))
})

test('a segment survives its text, also without a kind', () => {
  const invalid = segment({ tipos: [], cidade: 'Santos', semRecebedoresDe: 3 })
  expect(segmentIn(segmentText(invalid))).toMatchObject({ tipos: [], cidade: 'Santos', semRecebedoresDe: 3 })
})

test('restrictions without a field on the screen are removed', () => {
  const chosen = segment({ tipos: ['voluntarios'], estados: ['SP'], cidade: 'Santos', etiquetas: ['imprensa'] })
  expect(withoutHiddenFields(chosen)).toMatchObject({
    ...{ campanhas: [], estados: [], cidade: undefined, etiquetas: ['imprensa'] },
  })
  expect(withoutHiddenFields({ ...chosen, tipos: ['lideres'] })).toMatchObject({ campanhas: [], estados: ['SP'] })
})

test('kinds without a restricted field are named', () => {
  const tipos: NewsSegment['tipos'] = ['assinaturas', 'voluntarios', 'lideres']
  expect(kindsLeftOut(segment({ tipos }))).toEqual([])
  expect(kindsLeftOut(segment({ tipos, estados: ['SP'] }))).toEqual(['voluntarios'])
  expect(kindsLeftOut(segment({ tipos, cidade: 'Santos' }))).toEqual(['voluntarios'])
})

test('errors are named like the fields of the form', () => {
  expect(segmentErrors(segment({ tipos: [] }))).toEqual({
    'segmento.tipos': 'Escolha ao menos um tipo de cadastro',
  })
  expect(Object.keys(segmentErrors(segment({ de: '2026-02-01', ate: '2026-01-01' })))).toEqual(['segmento.ate'])
})
