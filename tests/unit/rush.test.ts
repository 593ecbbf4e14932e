import { beforeEach, expect, test } from 'vitest'
import { createRush, type Rush } from '#server/core/rush.ts'

let now: number
let rush: Rush
/** What happens on the site while somebody sleeps. */
let meanwhile: (ms: number) => void

beforeEach(() => {
  now = 0
  meanwhile = () => {}
  rush = createRush({
    now: () => now,
    async sleep(ms) {
      now += ms
      meanwhile(ms)
    },
  })
})

const commitBatches = (size: number, batches = 50) => {
  for (let n = 0; n < batches; n++) rush.committed(size)
}

async function restAfter(tookMs: number, signal?: AbortSignal): Promise<number> {
  const startedAt = now
  await rush.giveWay(tookMs, signal)
  return now - startedAt
}

test('work goes on at once when nobody signs', async () => {
  expect(await restAfter(100)).toBe(0)
})

test('work goes on at once while people sign a few at a time', async () => {
  commitBatches(6)
  expect(await restAfter(100)).toBe(0)
})

test('one large batch is no rush', async () => {
  commitBatches(60, 1)
  expect(await restAfter(100)).toBe(0)
})

test('in a rush all but a fiftieth is left to who signs', async () => {
  commitBatches(30)
  meanwhile = () => commitBatches(30)
  expect(await restAfter(100)).toBe(4_900)
})

test('however long the work took, it gets its turn', async () => {
  commitBatches(30)
  meanwhile = () => commitBatches(30)
  expect(await restAfter(600_000)).toBe(5_000)
})

test('a rush that ends ends the rest', async () => {
  commitBatches(30)
  let rests = 0
  meanwhile = () => {
    if (++rests <= 3) commitBatches(30)
  }
  expect(await restAfter(500)).toBe(800)
})

test('who must leave does not rest', async () => {
  commitBatches(30)
  meanwhile = () => commitBatches(30)
  expect(await restAfter(100, AbortSignal.abort())).toBe(0)
})
