import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mutants } from '#tests/mutants/list.ts'

test('the text of each mutant occurs once in its file', () => {
  const stale = mutants.filter(({ file, find }) => {
    const source = readFileSync(new URL(`../../src/server/${file}`, import.meta.url), 'utf8')
    return source.split(find).length !== 2
  })
  expect(stale.map(({ file, change }) => `${file}: ${change}`)).toEqual([])
})
