// Retention periods in words: for the system page, and for people who read the privacy text.
import { expect, test } from 'vitest'
import { describePeriods, namesWithoutPeriod, type RetentionPeriods } from '#contract/retention.ts'
import { readConfig } from '#server/core/config.ts'

const none: RetentionPeriods = {
  ...{ assinaturas: null, voluntarios: null, influenciadores: null, lideres: null, mensagens: null },
}

test.each([
  [30, '1\u00a0mês'],
  [90, '3\u00a0meses'],
  [100, '100\u00a0dias'],
  [365, '1\u00a0ano'],
  [720, '24\u00a0meses'],
  [730, '2\u00a0anos'],
  [731, '731\u00a0dias'],
  [36_500, '100\u00a0anos'],
])('%i days are "%s", which does not break across lines', (voluntarios, words) => {
  expect(describePeriods({ ...none, voluntarios })).toEqual([
    { kind: 'voluntarios', name: 'voluntários', period: `${words} depois do cadastro` },
  ])
})

test('signatures are kept after the end of the campaign, and kinds without a period are named', () => {
  const periods = { ...none, assinaturas: 365, mensagens: 730 }
  expect(describePeriods(periods).map(({ name, period }) => `${name}: ${period}`)).toEqual([
    'assinaturas: 1\u00a0ano depois do fim da campanha',
    'mensagens do robô: 2\u00a0anos depois de chegarem',
  ])
  expect(namesWithoutPeriod(periods)).toBe('voluntários, influenciadores e líderes')
  expect(namesWithoutPeriod({ ...none, ...periods, voluntarios: 30, influenciadores: 30, lideres: 30 })).toBe('')
})

test('nothing is erased by date unless the operator decides so', () => {
  expect(readConfig({}).retention).toEqual(none)
  expect(describePeriods(none)).toEqual([])
  const env = { KEEP_SIGNATURES_DAYS: '31', KEEP_VOLUNTEERS_DAYS: '32', KEEP_INFLUENCERS_DAYS: '33' }
  expect(readConfig({ ...env, KEEP_LEADERS_DAYS: '34', RETENTION_DAYS: '35' }).retention).toEqual({
    ...{ assinaturas: 31, voluntarios: 32, influenciadores: 33, lideres: 34, mensagens: 35 },
  })
})
