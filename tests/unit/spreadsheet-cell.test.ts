// Any text becomes a spreadsheet cell that is a text, in CSV and in Google Sheets, and stays readable.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellOf, csvRecord, escapeFormula } from '#contract/csv.ts'
import { e164Of, formatPhone } from '#contract/phone.ts'
import { kindOf, readCsv } from '#tests/helpers/csv-reader.ts'
import { seed } from '#tests/helpers/random.ts'

const formulaStarts = [
  '=',
  '+',
  '-',
  '@',
  '\t',
  '\r',
  '\n',
  '＝',
  '＋',
  '－',
  '＠',
  '﹦',
  ' ',
  '\u00a0',
  '\u202e',
  '\u200b',
  '\ufeff',
]
const pieces = [
  ...formulaStarts,
  '"',
  "'",
  ';',
  ',',
  '|',
  '%',
  '1',
  '9,5',
  '1e3',
  '/',
  'ção',
  '🙂',
  'HYPERLINK("https://example.org")',
]
/** Arbitrary texts, and many that an attacker would try. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...pieces)).map((parts) => parts.join('')),
  fc.tuple(fc.constantFrom(...formulaStarts), fc.string()).map(([start, rest]) => start + rest),
  fc.double().map(String),
  fc.date({ noInvalidDate: true }).map((date) => date.toLocaleDateString('pt-BR')),
)

describe('a cell', () => {
  test('is a text, for any input', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const cell = cellOf(text)
        expect(kindOf(cell)).toBe('text')
        expect([text, `'${text}`]).toContain(cell)
      }),
      { numRuns: 20_000, seed },
    )
  })

  test('is a text in a CSV read by Excel, and creates no other cell or line', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 4 }), (texts) => {
        const cells = texts.map(cellOf)
        const read = readCsv(csvRecord(cells) + csvRecord(['fim']))
        expect(read).toEqual([cells.map((cell) => cell.replace(/\r\n?/g, '\n')), ['fim']])
        expect(read[0]?.map(kindOf)).toEqual(texts.map(() => 'text'))
      }),
      { numRuns: 5_000, seed },
    )
  })

  test.each([
    '@fulana',
    '@fulana.tal_2',
    '@fulana, @beltrana',
    '@ação no Instagram',
    'Fulana de Tal',
    'Ana-Maria',
    "D'Ávila",
    'José 3º',
    'a=b',
    '(11) 98765-4321',
    'fulana@example.org',
    '',
  ])('does not change %j', (text) => expect(cellOf(text)).toBe(text))

  test.each([
    '=1+1',
    '+55 11',
    '-1',
    '@SUM(1)',
    '@fulana; "x"',
    '@a+b',
    '@a|b',
    '@SUM⑴',
    '@',
    '@1',
    ' @fulana',
    '＠fulana',
    '\t=1',
    '\u202e=1',
    ' =1',
    '＝1',
    // Composed, it would be one character.
    '=\u0338x',
    '1/2',
    '1e5',
    '12,50',
    'VERDADEIRO',
  ])('escapes %j', (text) => expect(cellOf(text)).toBe(`'${text}`))
})

test('escaping formulas keeps dates and percentages', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(kindOf(escapeFormula(text))).not.toBe('formula')
    }),
    { numRuns: 20_000, seed },
  )
  const kept = ['18/11/2026', '33,3%', '–']
  expect(kept.map(escapeFormula)).toEqual(kept)
})

test.each([
  ['11987654321', '(11) 98765-4321'],
  ['+55 11 98765-4321', '(11) 98765-4321'],
  ['5511987654321', '(11) 98765-4321'],
  ['(55) 3222-1234', '(55) 3222-1234'],
  ['98765432', "'98765432"],
  ['011 98765-4321', '(11) 98765-4321'],
  ['+351 912 345 678', "'+351 912 345 678"],
  // Eleven digits, but of another country.
  ['+1 212 555 0100', "'+1 212 555 0100"],
])('the phone %s is displayed as %s', (text, cell) => {
  expect(cellOf(formatPhone(text))).toBe(cell)
  expect(kindOf(cell)).toBe('text')
})

test.each([
  ['11987654321', '+5511987654321'],
  ['+55 11 98765-4321', '+5511987654321'],
  ['(55) 3222-1234', '+555532221234'],
  ['+1 212 555 0100', '+12125550100'],
  // A number without an area code, or with an invalid one, cannot be called.
  ['98765432', ''],
  ['(00) 90000-0000', ''],
])('the E.164 form of the phone %s is "%s"', (text, number) => {
  expect(e164Of(text)).toBe(number)
})

test('the E.164 form of any text is a number with its country code, or empty', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.stringMatching(/^[\d\s()+-]{0,25}$/)), (text) => {
      expect(e164Of(text)).toMatch(/^(\+[1-9]\d{7,14})?$/)
    }),
    { numRuns: 5_000, seed },
  )
})
