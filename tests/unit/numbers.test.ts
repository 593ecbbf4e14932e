// Arithmetic of the numbers pages: populations, rates, milestones, map scale.
import { expect, test } from 'vitest'
import { isFirstHour } from '#contract/admin/numbers.ts'
import { per100Thousand, populations } from '#contract/admin/populations.ts'
import { goalAbove, nextMilestone } from '#contract/goals.ts'
import { stateCodes } from '#contract/states.ts'
import { legendRanges, rateResolution, shadeOf } from '#web/admin/numbers/map-scale.ts'
import { formatRate } from '#web/admin/ui/format-number.ts'
import { formatNumber } from '#web/ui/format-number.ts'

test('the populations of the states add up to the census', () => {
  expect(Object.keys(populations).sort()).toEqual([...stateCodes].sort())
  expect(Object.values(populations).reduce((sum, n) => sum + n, 0)).toBe(203_080_756)
})

test('a rate is per hundred thousand inhabitants of each state', () => {
  expect(per100Thousand('RR', 637)).toBe(100)
  expect(per100Thousand('SP', 637)).toBe(1.4)
})

test('a rate below one keeps two significant digits, on the map too', () => {
  expect(per100Thousand('SP', 13)).toBe(0.029)
  expect(formatRate(0.029)).toBe('0,029')
  expect(formatRate(12.34)).toBe('12,3')
  expect(legendRanges(0.03, rateResolution(0.03)).map(({ end }) => end)).toEqual([0.002, 0.005, 0.011, 0.02, 0.03])
  expect(rateResolution(1.4)).toBe(10)
})

test('the first hour has signatures, and no complete hour has any', () => {
  expect(isFirstHour({ open: 301, hour: 0, day: 0, week: 0 })).toBe(true)
  expect(isFirstHour({ open: 301, hour: 0, day: 0, week: 1 })).toBe(false)
  expect(isFirstHour({ open: 0, hour: 0, day: 0, week: 0 })).toBe(false)
})

test.each([
  [0, 100],
  [99, 100],
  [100, 200],
  [18_245, 20_000],
  [20_000, 50_000],
  [999_999, 1_000_000],
  [1_000_000, 2_000_000],
])('the milestone after %i is %i', (count, next) => {
  expect(nextMilestone(count)).toBe(next)
})

test.each([
  [0, null, 100],
  [1_199, 1_200, 1_200],
  [1_200, 1_200, 2_000],
  [5_000, 1_200, 10_000],
])('with %i signatures and the goal %s the displayed goal is %i', (count, meta, goal) => {
  expect(goalAbove(count, meta)).toBe(goal)
})

test.each([
  [1, 1, [1]],
  [2, 1, [1, 2]],
  [5, 1, [1, 2, 4, 5]],
  [100, 1, [4, 16, 36, 64, 100]],
  [0.2, 10, [0.1, 0.2]],
])('the map scale up to %d has distinct steps, and the largest is the darkest', (max, perOne, ends) => {
  const steps = legendRanges(max, perOne)
  expect(steps.map(({ end }) => end)).toEqual(ends)
  expect(new Set(steps.map(({ shade }) => shade)).size).toBe(steps.length)
  for (const { end, shade } of steps) expect(shadeOf(end, steps)).toBe(shade)
  expect(shadeOf(max, steps)).toBe(5)
  expect(shadeOf(0, steps)).toBe(0)
})

test('public pages format whole numbers as Intl does', () => {
  const intl = new Intl.NumberFormat('pt-BR')
  for (const value of [0, 7, 99, 100, 999, 1_000, 1_001, 18_245, 100_000, 999_999, 1_000_000, 123_456_789])
    expect(formatNumber(value)).toBe(intl.format(value))
})
