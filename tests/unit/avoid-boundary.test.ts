import { expect, test } from 'vitest'
import { timeUntilBoundary } from '#tests/helpers/avoid-boundary.ts'

test.each([
  ['day', '2026-11-18T02:59:50Z', 10_000],
  ['day', '2026-11-18T03:00:00Z', 24 * 60 * 60_000],
  ['day', '2026-11-18T23:59:50Z', 3 * 60 * 60_000 + 10_000],
  ['hour', '2026-11-18T02:59:50Z', 10_000],
  ['hour', '2026-11-18T12:00:00Z', 60 * 60_000],
] as const)('the %s in Brasília ends the given time after %s', (unit, now, remaining) => {
  expect(timeUntilBoundary(unit, Date.parse(now))).toBe(remaining)
})
