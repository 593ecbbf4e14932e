// The batcher: everything accepted is committed or refused, nothing waits for a clock, nothing grows without bound.
import { describe, expect, test } from 'vitest'
import { createBatcher } from '#server/features/petitions/batcher.ts'

const away = Object.assign(new Error('away'), { transient: true })
const isTransient = (error: unknown) => error === away

describe('the batcher', () => {
  test('what arrives during a commit goes together into the next one', async () => {
    const batches: number[][] = []
    const batcher = createBatcher<number>({
      isTransient,
      async commit(batch) {
        batches.push(batch)
        await new Promise((resolve) => setTimeout(resolve, 20))
      },
    })

    const first = batcher.add(1)
    await new Promise((resolve) => setTimeout(resolve, 5))
    await Promise.all([first, batcher.add(2), batcher.add(3), batcher.add(4)])

    expect(batches).toEqual([[1], [2, 3, 4]])
  })

  test('a batch has a largest size', async () => {
    const sizes: number[] = []
    const batcher = createBatcher<number>({
      isTransient,
      maxBatch: 10,
      commit: async (batch) => void sizes.push(batch.length),
    })
    await Promise.all(Array.from({ length: 25 }, (_, index) => batcher.add(index)))
    expect(sizes).toEqual([10, 10, 5])
  })

  test('a full queue refuses at once', async () => {
    const batcher = createBatcher<number>({ isTransient, maxQueue: 2, commit: () => new Promise(() => {}) })
    void batcher.add(1)
    void batcher.add(2)
    await expect(batcher.add(3)).rejects.toMatchObject({ refusal: 'unavailable' })
  })

  test('a line that moves slowly is kept short, and one that moves quickly may be long', async () => {
    const acceptedAt = async (msPerBatch: number) => {
      const refused: number[] = []
      const batcher = createBatcher<number>({
        isTransient,
        maxBatch: 10,
        longestWaitMs: 100,
        onFull: () => refused.push(1),
        commit: async () => {
          if (msPerBatch > 0) await new Promise((resolve) => setTimeout(resolve, msPerBatch))
        },
      })
      const crowd = () => Promise.allSettled(Array.from({ length: 200 }, (_, index) => batcher.add(index)))
      expect((await crowd()).every(({ status }) => status === 'fulfilled')).toBe(true)
      await crowd()
      return 200 - refused.length
    }
    // Ten in forty milliseconds are a quarter in one: at most twenty-five in a hundred.
    const slowly = await acceptedAt(40)
    expect(slowly).toBeLessThanOrEqual(26)
    expect(slowly).toBeGreaterThanOrEqual(20)
    expect(await acceptedAt(0)).toBe(200)
  })

  test('a passing failure is tried again and nobody notices', async () => {
    let tries = 0
    const batcher = createBatcher<number>({
      isTransient,
      async commit() {
        tries += 1
        if (tries < 3) throw away
      },
    })
    await batcher.add(1)
    expect(tries).toBe(3)
  })

  test('while the database stays away, the next batch is told at once, and the first success ends that', async () => {
    let reachable = false
    let tries = 0
    const batcher = createBatcher<number>({
      isTransient,
      patienceMs: 200,
      async commit() {
        tries += 1
        if (!reachable) throw away
      },
    })
    await expect(batcher.add(1)).rejects.toBe(away)
    const triesOfTheFirst = tries
    expect(triesOfTheFirst).toBeGreaterThan(1)
    await expect(batcher.add(2)).rejects.toBe(away)
    expect(tries).toBe(triesOfTheFirst + 1)
    reachable = true
    await batcher.add(3)
    expect(tries).toBe(triesOfTheFirst + 2)
    reachable = false
    await expect(batcher.add(4)).rejects.toBe(away)
    expect(tries).toBeGreaterThan(triesOfTheFirst + 3)
  })

  test('one item that cannot be stored costs nobody else theirs', async () => {
    const stored: number[] = []
    const batcher = createBatcher<number>({
      isTransient,
      async commit(batch) {
        if (batch.includes(3)) throw new Error('broken')
        stored.push(...batch)
      },
    })
    const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => batcher.add(item)))
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
    expect(stored.sort()).toEqual([1, 2, 4, 5])
  })

  test('when the database is away, everybody in the queue is told together', async () => {
    let tries = 0
    const batcher = createBatcher<number>({
      isTransient,
      patienceMs: 0,
      maxBatch: 1,
      async commit() {
        tries += 1
        throw away
      },
    })
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map((item) => batcher.add(item)))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
    expect(tries).toBe(1)
  })

  test('closing waits for what was accepted and refuses what comes later', async () => {
    const done: number[] = []
    const batcher = createBatcher<number>({
      isTransient,
      async commit(batch) {
        await new Promise((resolve) => setTimeout(resolve, 10))
        done.push(...batch)
      },
    })
    const accepted = [batcher.add(1), batcher.add(2)]
    const closed = batcher.close()
    await expect(batcher.add(3)).rejects.toMatchObject({ refusal: 'unavailable' })
    await closed
    expect(done).toEqual([1, 2])
    await Promise.all(accepted)
  })
})
