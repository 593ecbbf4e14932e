import { expect, test } from 'vitest'
import { dayOf, fullTimeOf, hourOf, shortTimeOf } from '#web/admin/conversations/format-time.ts'

// Half past midnight in Brasília, whose time the admin area always shows.
const now = new Date('2026-11-15T03:30:00Z')

test.each([
  ['2026-11-15T03:00:00Z', 'Hoje', '00:00', '00:00'],
  ['2026-11-15T02:59:00Z', 'Ontem', '23:59', 'Ontem, 23:59'],
  ['2026-11-14T02:59:00Z', '13 de novembro de 2026', '23:59', '13/11/26'],
  ['2025-11-15T12:00:00Z', '15 de novembro de 2025', '09:00', '15/11/25'],
])('%s was %s at %s, in short %s', (timestamp, day, hour, short) => {
  expect(dayOf(timestamp, now)).toBe(day)
  expect(hourOf(timestamp)).toBe(hour)
  expect(shortTimeOf(timestamp, now)).toBe(short)
})

test('the full form has the day and the hour', () => {
  expect(fullTimeOf('2026-11-15T02:59:00Z')).toBe('14 de novembro de 2026, 23:59')
})
