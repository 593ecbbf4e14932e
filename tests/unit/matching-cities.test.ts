// City suggestions for typed text.
import { describe, expect, test } from 'vitest'
import { matchingCities } from '#web/forms/fields/matching-cities.ts'

const names = [
  'Água Boa',
  'Barra d’Ouro',
  'Embu-Guaçu',
  "Olho d'Água",
  'Ouro Preto',
  'Ribeirão Preto',
  'Santo André',
  'São José',
  'São Paulo',
  'Presidente Prudente',
]

describe('a city is found', () => {
  test.each([
    ['sao p', ['São Paulo']],
    ['SÃO', ['São José', 'São Paulo']],
    ['embu guacu', ['Embu-Guaçu']],
    ["olho d'a", ["Olho d'Água"]],
    ['agua', ['Água Boa', "Olho d'Água"]],
    ['  ribeirao ', ['Ribeirão Preto']],
  ])('by %j', (typed, found) => {
    expect(matchingCities(names, typed)).toEqual(found)
  })

  test('by any of its words, names that begin with the text first', () => {
    expect(matchingCities(names, 'pr')).toEqual(['Presidente Prudente', 'Ouro Preto', 'Ribeirão Preto'])
  })

  test('without any text if there are few', () => {
    expect(matchingCities(['Brasília'], '')).toEqual(['Brasília'])
  })

  test('when only its accents are missing', () => {
    expect(matchingCities(names, 'Sao Paulo')).toEqual(['São Paulo'])
  })
})

describe('nothing is suggested', () => {
  test.each(['', '  ', '-', 'xyz', 'São Paulo', 'ibeirao'])('for %j', (typed) => {
    expect(matchingCities(names, typed)).toEqual([])
  })
})

test('at most five cities are suggested', () => {
  expect(
    matchingCities(
      Array.from({ length: 40 }, (_, index) => `Vila ${index}`),
      'vila',
    ),
  ).toHaveLength(5)
})
