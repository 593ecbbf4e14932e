// The arithmetic behind the numbers.
import { expect, test } from 'vitest'
import { nextMilestone } from '#contract/admin/numbers.ts'
import { per100Thousand, populations } from '#contract/admin/populations.ts'
import { stateCodes } from '#contract/states.ts'

test('the states add up to the census', () => {
  expect(Object.keys(populations).sort()).toEqual([...stateCodes].sort())
  expect(Object.values(populations).reduce((sum, n) => sum + n, 0)).toBe(203_080_756)
})

test('a hundred thousand inhabitants are the same measure for every state', () => {
  expect(per100Thousand('RR', 637)).toBe(100)
  expect(per100Thousand('SP', 637)).toBe(1.4)
})

test.each([
  [0, 100],
  [99, 100],
  [100, 200],
  [18_245, 20_000],
  [20_000, 50_000],
  [999_999, 1_000_000],
  [1_000_000, 2_000_000],
])('after %i comes %i', (count, next) => {
  expect(nextMilestone(count)).toBe(next)
})
