import { afterEach, expect, test, vi } from 'vitest'
import { isAdult } from '#contract/age.ts'
import { applyAsLeader } from '#contract/applications.ts'
import type { Schema } from '#contract/endpoint.ts'
import { aLeader } from '#tests/helpers/factories.ts'

afterEach(() => vi.useRealTimers())

test.each([
  // Midnight in Brasília is 3:00 in UTC.
  ['2008-11-19', '2026-11-19T02:59:59Z', false],
  ['2008-11-19', '2026-11-19T03:00:00Z', true],
  ['2008-11-20', '2026-11-19T23:00:00Z', false],
  ['2008-11-18', '2026-11-19T12:00:00Z', true],
  ['2008-02-29', '2026-03-01T02:59:59Z', false],
  ['2008-02-29', '2026-03-01T03:00:00Z', true],
  ['2010-01-01', '2028-01-01T03:00:00Z', true],
  ['1984-02-29', '2026-11-19T12:00:00Z', true],
])('who was born on %s is an adult at %s: %s', (day, now, expected) => {
  expect(isAdult(day, new Date(now))).toBe(expected)
})

test('the leaders’ form accepts a birth date from the birthday in Brasília on', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const leader = aLeader({ nascimento: '2008-11-19' })
  const problems = () => {
    const { error } = (applyAsLeader.body as Schema).safeParse(leader)
    return error?.issues.map(({ path, message }) => [path, message])
  }
  vi.setSystemTime('2026-11-19T02:59:59Z')
  expect(problems()).toEqual([
    [['nascimento'], 'Obrigado pelo interesse! Para ser líder é preciso ter 18 anos ou mais'],
  ])
  vi.setSystemTime('2026-11-19T03:00:00Z')
  expect(problems()).toBeUndefined()
})
