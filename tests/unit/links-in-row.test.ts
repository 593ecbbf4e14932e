import { expect, test } from 'vitest'
import { linksInRow } from '#web/layout/links-in-row.ts'

// In a window of 1280 px.
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
  ['Mobiliza', texts, 7],
  ['Brasil em Movimento', texts, 4],
  ['Movimento Nacional pelo Transporte Público de Qualidade', texts, 4],
  ['Mobiliza', [...texts, 'Uma página a mais'], 6],
  ['Mobiliza', ['Um texto que é sozinho mais largo do que a janela toda: '.repeat(4)], 0],
])('linksInRow counts the links that fit beside %s', (brand, links, count) => {
  expect(linksInRow(links, brand)).toBe(count)
})
