// What is asked and what is stored are folded alike, in two languages: here and in the database.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nameWords, splitName } from '#server/features/people/folding.ts'
import { seed } from '#tests/helpers/chance.ts'
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

test('a name is split into the same words on both sides', async () => {
  const given = fc.sample(texts, { numRuns: 2_000, seed }).map((text) => text.replace(/[\p{Cc}\p{Cs}]/gu, ''))
  const rows = await site.rows<{ words: string[] }>(
    `select array_remove(${nameWords('t.nome')}, '') as words from unnest($1::text[]) with ordinality as t(nome, n) order by n`,
    [given],
  )
  const wrong = given.filter((text, index) => splitName(text).join(' ') !== rows[index]?.words.join(' '))
  expect(wrong, `seed ${seed}`).toEqual([])
})
