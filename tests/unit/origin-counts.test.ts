import { expect, test } from 'vitest'
import { createOriginCounts } from '#server/features/numbers/origin-counts.ts'

type Counts = ReturnType<typeof createOriginCounts>

const sumsOf = (counts: Counts) => {
  const sums = new Map<string, number>()
  for (const { origin, signatures } of counts.cells()) sums.set(origin, (sums.get(origin) ?? 0) + signatures)
  return Object.fromEntries(sums)
}
const add = (counts: Counts, origin: string | null, signatures: number, day = 20_000) =>
  counts.add({ campaign: 'juros', origin, day, signatures })

test('signatures are counted by campaign, origin and day, and those without an origin are direct', () => {
  const counts = createOriginCounts()
  add(counts, 'radio', 2)
  add(counts, 'radio', 3)
  add(counts, 'radio', 4, 20_001)
  add(counts, null, 1)
  counts.add({ campaign: 'paz', origin: 'radio', day: 20_000, signatures: 9 })

  expect([...counts.cells()]).toEqual([
    { campaign: 'juros', origin: 'radio', day: 20_000, signatures: 5 },
    { campaign: 'juros', origin: 'radio', day: 20_001, signatures: 4 },
    { campaign: 'juros', origin: '(direto)', day: 20_000, signatures: 1 },
    { campaign: 'paz', origin: 'radio', day: 20_000, signatures: 9 },
  ])
})

test('invented origins do not displace frequent ones, and the sum stays exact', () => {
  const counts = createOriginCounts({ origins: 3 })
  for (let number = 0; number < 100; number++) {
    add(counts, `inventada-${number}`, 1)
    add(counts, 'radio', 2)
    if (number > 50) add(counts, 'feira', 2)
    counts.limit()
  }
  counts.finish()

  const sums = sumsOf(counts)
  expect(sums).toMatchObject({ radio: 200, feira: 98 })
  expect(Object.keys(sums)).toHaveLength(4)
  expect(Object.values(sums).reduce((sum, n) => sum + n, 0)).toBe(100 + 200 + 98)
})

test('a million signatures with invented origins on many days stay within the limit of cells', () => {
  const counts = createOriginCounts()
  for (let step = 0; step < 200; step++) {
    for (let row = 0; row < 5_000; row++) {
      const number = step * 5_000 + row
      const campaign = `campanha-${number % 10}`
      counts.add({ campaign, origin: `o${number % 997}`, day: 20_000 + (number % 1_500), signatures: 1 })
    }
    counts.limit()
  }
  counts.finish()

  let [cells, signatures] = [0, 0]
  for (const cell of counts.cells()) {
    cells += 1
    signatures += cell.signatures
  }
  expect(signatures).toBe(1_000_000)
  expect(cells).toBeLessThan(300_000)
})
