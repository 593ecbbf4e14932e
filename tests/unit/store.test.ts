// The store of the pages: retries of failed reads.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { listContents } from '#contract/contents.ts'
import type { ApiFetch } from '#contract/page.ts'
import { contents } from '#web/api/contents.ts'
import { createStore } from '#web/api/store.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A network that fails `failures` times; records the time of each request. */
function createNetwork(failures: number): { fetchApi: ApiFetch; requestedAt: number[] } {
  const start = Date.now()
  const requestedAt: number[] = []
  return {
    requestedAt,
    async fetchApi() {
      requestedAt.push(Date.now() - start)
      return requestedAt.length <= failures ? { status: 503, body: {} } : { status: 200, body: [] }
    },
  }
}

describe('a read that fails', () => {
  test('is retried three times, each after twice the previous pause', async () => {
    const { fetchApi, requestedAt } = createNetwork(9)

    const reading = createStore(fetchApi).read(contents)
    await vi.runAllTimersAsync()

    expect(await reading).toMatchObject({ error: { statusCode: 503 } })
    expect(requestedAt).toEqual([0, 1_000, 3_000, 7_000])
  })

  test('returns the data as soon as a retry succeeds', async () => {
    const { fetchApi, requestedAt } = createNetwork(1)

    const reading = createStore(fetchApi).read(contents)
    await vi.runAllTimersAsync()

    expect(await reading).toMatchObject({ data: [] })
    expect(requestedAt).toEqual([0, 1_000])
  })

  test('of an endpoint without retries fails at once', async () => {
    const { fetchApi, requestedAt } = createNetwork(9)

    expect(await createStore(fetchApi).read({ endpoint: listContents, staleMs: 0 })).toHaveProperty('error')
    expect(requestedAt).toEqual([0])
  })
})

test('concurrent callers share a read that waits for its retry', async () => {
  const { fetchApi, requestedAt } = createNetwork(1)
  const store = createStore(fetchApi)

  const first = store.read(contents)
  await vi.advanceTimersByTimeAsync(500)
  const second = store.read(contents)
  await vi.runAllTimersAsync()

  expect(await second).toBe(await first)
  expect(requestedAt).toHaveLength(2)
})
