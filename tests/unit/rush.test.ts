import { beforeEach, expect, test } from 'vitest'
import { createRush, type Rush } from '#server/core/rush.ts'

let now: number
let rush: Rush
/** What happens on the site while somebody sleeps. */
let meanwhile: () => Promise<void>

beforeEach(() => {
  now = 0
  meanwhile = async () => {}
  rush = createRush({
    now: () => now,
    async sleep(ms) {
      now += ms
      await meanwhile()
    },
  })
})

const commitBatches = async (size: number, batches = 50) => {
  for (let n = 0; n < batches; n++) await rush.committing(size, async () => {})
}

async function rushForEver(): Promise<void> {
  await commitBatches(30)
  meanwhile = () => commitBatches(30)
}

/** Work that takes so long; answers when it began. */
const work = (tookMs: number) => async () => {
  const beganAt = now
  now += tookMs
  return beganAt
}

/** How long work has to wait after other work that took so long. */
async function restAfter(tookMs: number, signal?: AbortSignal): Promise<number> {
  await rush.behind(work(tookMs), signal)
  const endedAt = now
  // It may have taken longer than a rush lasts without anybody.
  await meanwhile()
  return (await rush.behind(work(0), signal)) - endedAt
}

test('work goes on at once when nobody signs', async () => {
  expect(await restAfter(100)).toBe(0)
})

test('work goes on at once while people sign a few at a time', async () => {
  await commitBatches(6)
  meanwhile = () => commitBatches(6)
  expect(await restAfter(100)).toBe(0)
})

test('one large batch is no rush', async () => {
  await commitBatches(60, 1)
  expect(await restAfter(100)).toBe(0)
})

test('in a rush all but a fiftieth is left to who signs', async () => {
  await rushForEver()
  expect(await restAfter(60)).toBe(2_940)
})

test('several kinds of work have one fiftieth together, and each its turn', async () => {
  await rushForEver()
  const order: string[] = []
  const repeat = async (name: string) => {
    for (let turn = 0; turn < 3; turn++)
      await rush.behind(async () => {
        order.push(name)
        now += 10
      })
  }
  await Promise.all(['e-mails', 'planilha', 'busca'].map(repeat))
  expect(now).toBeGreaterThanOrEqual(8 * 500)
  expect(order).toEqual([1, 2, 3].flatMap(() => ['e-mails', 'planilha', 'busca']))
})

test('what follows from work lengthens the rest', async () => {
  await rushForEver()
  const beganAt = now
  await rush.behind(work(20))
  await rush.counted(work(20))
  await meanwhile()
  expect(await rush.behind(work(0))).toBe(beganAt + 20 + 49 * 40)
})

test('however long the work took, it gets its turn', async () => {
  await rushForEver()
  expect(await restAfter(600_000)).toBe(5_000)
})

test('work that failed rests as well, and holds nobody up', async () => {
  await rushForEver()
  const failing = rush.behind(async () => {
    now += 60
    throw new Error('away')
  })
  await expect(failing).rejects.toThrow('away')
  const endedAt = now
  expect((await rush.behind(work(0))) - endedAt).toBe(2_940)
})

test('a rush that ends ends the rest', async () => {
  await commitBatches(30)
  let rests = 0
  meanwhile = async () => {
    if (++rests <= 4) await commitBatches(30)
  }
  expect(await restAfter(500)).toBe(800)
})

test('a commit that takes long is not the end of a rush', async () => {
  await commitBatches(30)
  await rush.behind(work(60))
  const endedAt = now
  const commit = Promise.withResolvers<void>()
  const committed = rush.committing(30, () => commit.promise)
  expect((await rush.behind(work(0))) - endedAt).toBe(2_940)
  commit.resolve()
  await committed
})

test('who must leave does not rest', async () => {
  await rushForEver()
  expect(await restAfter(100, AbortSignal.abort())).toBe(0)
})
