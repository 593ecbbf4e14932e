// The batcher: every accepted item is committed or rejected, and no queue grows without bound.
import { describe, expect, test } from 'vitest'
import { createBatcher } from '#server/features/petitions/batcher.ts'

const outage = Object.assign(new Error('away'), { transient: true })
const isTransient = (error: unknown) => error === outage

describe('the batcher', () => {
  test('items that arrive during a commit form the next batch', async () => {
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

  test('a batch has a maximum size', async () => {
    const sizes: number[] = []
    const batcher = createBatcher<number>({
      isTransient,
      maxBatch: 10,
      commit: async (batch) => void sizes.push(batch.length),
    })
    await Promise.all(Array.from({ length: 25 }, (_, index) => batcher.add(index)))
    expect(sizes).toEqual([10, 10, 5])
  })

  test('a full queue rejects at once', async () => {
    const batcher = createBatcher<number>({ isTransient, maxQueue: 2, commit: () => new Promise(() => {}) })
    void batcher.add(1)
    void batcher.add(2)
    await expect(batcher.add(3)).rejects.toMatchObject({ refusal: 'unavailable' })
  })

  test('the queue is short when commits are slow and long when they are fast', async () => {
    const acceptedAt = async (msPerBatch: number) => {
      const refused: number[] = []
      const batcher = createBatcher<number>({
        isTransient,
        maxBatch: 10,
        maxWaitMs: 100,
        onFull: () => refused.push(1),
        commit: async () => {
          if (msPerBatch > 0) await new Promise((resolve) => setTimeout(resolve, msPerBatch))
        },
      })
      const addMany = () => Promise.allSettled(Array.from({ length: 200 }, (_, index) => batcher.add(index)))
      expect((await addMany()).every(({ status }) => status === 'fulfilled')).toBe(true)
      await addMany()
      return 200 - refused.length
    }
    // Ten items in 40 ms: at most 25 can be committed within the longest wait of 100 ms.
    const acceptedWhenSlow = await acceptedAt(40)
    expect(acceptedWhenSlow).toBeLessThanOrEqual(26)
    expect(acceptedWhenSlow).toBeGreaterThanOrEqual(20)
    expect(await acceptedAt(0)).toBe(200)
  })

  test('a transient failure is retried without an error', async () => {
    let tries = 0
    const batcher = createBatcher<number>({
      isTransient,
      async commit() {
        tries += 1
        if (tries < 3) throw outage
      },
    })
    await batcher.add(1)
    expect(tries).toBe(3)
  })

  test('during an outage the next batch fails after one attempt, until a commit succeeds', async () => {
    let reachable = false
    let tries = 0
    const batcher = createBatcher<number>({
      isTransient,
      maxRetryMs: 200,
      async commit() {
        tries += 1
        if (!reachable) throw outage
      },
    })
    await expect(batcher.add(1)).rejects.toBe(outage)
    const triesOfFirst = tries
    expect(triesOfFirst).toBeGreaterThan(1)
    await expect(batcher.add(2)).rejects.toBe(outage)
    expect(tries).toBe(triesOfFirst + 1)
    reachable = true
    await batcher.add(3)
    expect(tries).toBe(triesOfFirst + 2)
    reachable = false
    await expect(batcher.add(4)).rejects.toBe(outage)
    expect(tries).toBeGreaterThan(triesOfFirst + 3)
  })

  test('an item that cannot be stored does not affect the other items of its batch', async () => {
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

  test('when the database is unreachable, the whole queue is rejected at once', async () => {
    let tries = 0
    const batcher = createBatcher<number>({
      isTransient,
      maxRetryMs: 0,
      maxBatch: 1,
      async commit() {
        tries += 1
        throw outage
      },
    })
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map((item) => batcher.add(item)))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
    expect(tries).toBe(1)
  })

  test('closing waits for accepted items and rejects later ones', async () => {
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
