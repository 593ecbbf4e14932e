// Whatever people write becomes a cell that is a text, in CSV and in Google's sheets, and stays readable.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvRecord } from '#server/core/csv.ts'
import { e164Of } from '#server/core/phone.ts'
import { cellOf, phoneCellOf } from '#server/core/spreadsheet-cell.ts'
import { seed } from '#tests/helpers/chance.ts'
import { kindOf, readCsv } from '#tests/helpers/csv-reader.ts'

const bait = [
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
  ...bait,
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
/** Texts of every sort, and many of those that somebody would try. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...pieces)).map((parts) => parts.join('')),
  fc.tuple(fc.constantFrom(...bait), fc.string()).map(([start, rest]) => start + rest),
  fc.double().map(String),
  fc.date({ noInvalidDate: true }).map((date) => date.toLocaleDateString('pt-BR')),
)

describe('a cell', () => {
  test('is a text, whatever was written', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const cell = cellOf(text)
        expect(kindOf(cell)).toBe('text')
        expect([text, `'${text}`]).toContain(cell)
      }),
      { numRuns: 20_000, seed },
    )
  })

  test('is a text in the CSV that Excel reads, and no other cell or line comes of it', () => {
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
  ])('leaves %j as it is', (text) => expect(cellOf(text)).toBe(text))

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
    '1/2',
    '1e5',
    '12,50',
    'VERDADEIRO',
  ])('guards %j', (text) => expect(cellOf(text)).toBe(`'${text}`))
})

test.each([
  ['11987654321', '(11) 98765-4321'],
  ['+55 11 98765-4321', '(11) 98765-4321'],
  ['5511987654321', '(11) 98765-4321'],
  ['(55) 3222-1234', '(55) 3222-1234'],
  ['98765432', "'98765432"],
  ['011 98765-4321', '(11) 98765-4321'],
  ['+351 912 345 678', "'+351 912 345 678"],
  // Eleven digits, and of another country.
  ['+1 212 555 0100', "'+1 212 555 0100"],
])('the phone %s is shown as %s', (text, cell) => {
  expect(phoneCellOf(text)).toBe(cell)
  expect(kindOf(cell)).toBe('text')
})

test.each([
  ['11987654321', '+5511987654321'],
  ['+55 11 98765-4321', '+5511987654321'],
  ['(55) 3222-1234', '+555532221234'],
  ['+1 212 555 0100', '+12125550100'],
  // Without an area, or with one that does not exist, nobody can be called.
  ['98765432', ''],
  ['(00) 90000-0000', ''],
])('the phone %s is %s for programs', (text, number) => {
  expect(e164Of(text)).toBe(number)
})

test('a phone for programs is a number with its country, or nothing, whatever was written', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.stringMatching(/^[\d\s()+-]{0,25}$/)), (text) => {
      expect(e164Of(text)).toMatch(/^(\+[1-9]\d{7,14})?$/)
    }),
    { numRuns: 5_000, seed },
  )
})
