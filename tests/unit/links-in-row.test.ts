// Which links of the header fit into one row.
import { expect, test } from 'vitest'
import { linksInRow } from '#web/layout/links-in-row.ts'

const texts = [
  'Início',
  'Influenciadores',
  'Cassação de Fulano de Tal',
  'Contra a PEC da impunidade',
  'Fim da escala 6x1',
  'Brasil quer paz',
  'Comunidade',
]

test.each([
  ['Mobiliza', 80, 7],
  ['Mobiliza', 60, 3],
  ['Movimento Nacional pelo Transporte Público de Qualidade', 80, 4],
  ['Movimento Nacional pelo Transporte Público de Qualidade', 60, 3],
])('beside %s, in %i rem, %i links fit', (brand, rowRem, count) => {
  expect(linksInRow(texts, { brand, rowRem })).toBe(count)
})

test('all links stay in the row where only "Mais" would not fit beside them', () => {
  expect(linksInRow(['Início', 'Comunidade'], { brand: 'Mobiliza', rowRem: 31 })).toBe(2)
  expect(linksInRow(['Início', 'Comunidade'], { brand: 'Mobiliza', rowRem: 29 })).toBe(1)
})
