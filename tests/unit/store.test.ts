// What pages have read: how a reading that fails is tried again.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { listContents } from '#contract/carousel.ts'
import type { ApiFetch } from '#contract/page.ts'
import { contents } from '#web/api/carousel.ts'
import { createStore } from '#web/api/store.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A network that fails so many times; when it was asked is kept. */
function aNetwork(failures: number): { fetchApi: ApiFetch; askedAt: number[] } {
  const start = Date.now()
  const askedAt: number[] = []
  return {
    askedAt,
    async fetchApi() {
      askedAt.push(Date.now() - start)
      return askedAt.length <= failures ? { status: 503, body: {} } : { status: 200, body: [] }
    },
  }
}

describe('a reading that fails', () => {
  test('is tried three more times, each after twice the pause of the one before', async () => {
    const { fetchApi, askedAt } = aNetwork(9)

    const reading = createStore(fetchApi).read(contents)
    await vi.runAllTimersAsync()

    expect(await reading).toMatchObject({ error: { statusCode: 503 } })
    expect(askedAt).toEqual([0, 1_000, 3_000, 7_000])
  })

  test('is answered as soon as a try succeeds', async () => {
    const { fetchApi, askedAt } = aNetwork(1)

    const reading = createStore(fetchApi).read(contents)
    await vi.runAllTimersAsync()

    expect(await reading).toMatchObject({ data: [] })
    expect(askedAt).toEqual([0, 1_000])
  })

  test('of a call without retries fails at once', async () => {
    const { fetchApi, askedAt } = aNetwork(9)

    expect(await createStore(fetchApi).read({ endpoint: listContents, staleMs: 0 })).toHaveProperty('error')
    expect(askedAt).toEqual([0])
  })
})

test('many who ask while a reading is paused share it', async () => {
  const { fetchApi, askedAt } = aNetwork(1)
  const store = createStore(fetchApi)

  const first = store.read(contents)
  await vi.advanceTimersByTimeAsync(500)
  const second = store.read(contents)
  await vi.runAllTimersAsync()

  expect(await second).toBe(await first)
  expect(askedAt).toHaveLength(2)
})
