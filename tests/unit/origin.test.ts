import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizeOrigin, originOfQuery } from '#contract/origin.ts'
import { seed } from '#tests/helpers/random.ts'

test.each([
  ['radio-comunitaria', 'radio-comunitaria'],
  ['Feira_2.0', 'Feira_2.0'],
  ['Rádio Comunitária!', 'Radio-Comunitaria'],
  ['  zap / grupo  ', 'zap-grupo'],
  ['<script>alert(1)</script>', 'script-alert-1-script'],
  ['x'.repeat(61), 'x'.repeat(60)],
  ['', undefined],
  ['💥', undefined],
  ['\u0000', undefined],
])('the origin %j is stored as %j', (given, stored) => {
  expect(normalizeOrigin(given)).toBe(stored)
})

test('every value becomes a label of at most 60 letters, digits, "-", "_" and ".", or nothing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.anything()), (value) => {
      const label = normalizeOrigin(value)
      if (label !== undefined) expect(label).toMatch(/^[A-Za-z0-9._-]{1,60}$/)
      expect(normalizeOrigin(label)).toBe(label)
    }),
    { seed },
  )
})

test('a value that is already a label is not changed', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[\w.-]{1,60}$/), (label) => {
      expect(normalizeOrigin(label)).toBe(label)
    }),
    { seed },
  )
})

test.each([
  ['?de=radio&utm_source=boletim', 'radio'],
  ['?utm_source=boletim', 'boletim'],
  ['?de=&utm_source=boletim', 'boletim'],
  ['?de=%21%21&utm_source=boletim', 'boletim'],
  ['?fbclid=abc', undefined],
  ['', undefined],
])('the origin of the address %j is %j', (query, label) => {
  expect(originOfQuery(new URLSearchParams(query))).toBe(label)
})
