import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foldAccents } from '#contract/fold-text.ts'
import { foldLatin, foldLatinSql } from '#server/db/accent-folding.ts'
import { nameWords, splitName } from '#server/features/people/name-words.ts'
import { seed } from '#tests/helpers/random.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite()
})
afterAll(() => site.close())

const letters = fc.constantFrom(
  ...(`aÁàâãäÇçÉêÍõÖúÜñŠłØßÆœı` + `Ab z'’.-_@\\"=+()|&!:*0` + `\u0301\u0303\u0327\u0340я中🇧🇷\u200d`),
)
const texts = fc.oneof(fc.string({ unit: letters, maxLength: 30 }), fc.string({ unit: 'grapheme', maxLength: 20 }))

test('a name is split into the same words by the server and by the database', async () => {
  const names = fc.sample(texts, { numRuns: 2_000, seed }).map((text) => text.replace(/[\p{Cc}\p{Cs}]/gu, ''))
  const rows = await site.rows<{ words: string[] }>(
    `select array_remove(${nameWords('t.nome')}, '') as words from unnest($1::text[]) with ordinality as t(nome, n) order by n`,
    [names],
  )
  const wrong = names.filter((text, index) => splitName(text).join(' ') !== rows[index]?.words.join(' '))
  expect(wrong, `seed ${seed}`).toEqual([])
})

test('every Latin letter and combining mark is folded alike by the server and by the database', async () => {
  const characters = Array.from({ length: 0x340 - 0xc0 }, (_, index) => String.fromCharCode(0xc0 + index))
  const rows = await site.rows<{ folded: string }>(
    `select ${foldLatinSql('t.text')} as folded from unnest($1::text[]) with ordinality as t(text, n) order by n`,
    [characters],
  )
  const wrong = characters.filter((character, index) => foldLatin(character) !== rows[index]?.folded)
  expect(wrong).toEqual([])
  const accented = characters.filter(
    (char) => /[\u00c0-\u017f]|[\u0300-\u032f]/.test(char) && /^[a-z]?$/.test(foldAccents(char)),
  )
  expect(accented.length).toBeGreaterThan(150)
  expect(accented.map(foldLatin)).toEqual(accented.map(foldAccents))
})
