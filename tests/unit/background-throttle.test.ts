// Delays of background work under load, with an injected clock.
import { beforeEach, expect, test } from 'vitest'
import { type BackgroundThrottle, createBackgroundThrottle } from '#server/core/background-throttle.ts'

let now: number
let throttle: BackgroundThrottle
/** Runs during each sleep, to simulate signatures that arrive meanwhile. */
let duringSleep: () => Promise<void>

beforeEach(() => {
  now = 0
  duringSleep = async () => {}
  throttle = createBackgroundThrottle({
    now: () => now,
    async sleep(ms) {
      now += ms
      await duringSleep()
    },
  })
})

const commitBatches = async (size: number, batches = 50) => {
  for (let n = 0; n < batches; n++) await throttle.trackCommit(size, async () => {})
}

async function startPermanentLoad(): Promise<void> {
  await commitBatches(30)
  duringSleep = () => commitBatches(30)
}

/** Work that takes `durationMs`; returns the time at which it began. */
const work = (durationMs: number) => async () => {
  const beganAt = now
  now += durationMs
  return beganAt
}

/** The pause between work that takes `durationMs` and the next work. */
async function pauseAfter(durationMs: number, signal?: AbortSignal): Promise<number> {
  await throttle.run(work(durationMs), signal)
  const endedAt = now
  // The work may take longer than the load lasts without commits, so the load is renewed.
  await duringSleep()
  return (await throttle.run(work(0), signal)) - endedAt
}

test('without signatures, work starts at once', async () => {
  expect(await pauseAfter(100)).toBe(0)
})

test('with small batches of signatures, work starts at once', async () => {
  await commitBatches(6)
  duringSleep = () => commitBatches(6)
  expect(await pauseAfter(100)).toBe(0)
})

test('one large batch does not count as load', async () => {
  await commitBatches(60, 1)
  expect(await pauseAfter(100)).toBe(0)
})

test('under load, work takes at most a fiftieth of the time', async () => {
  await startPermanentLoad()
  expect(await pauseAfter(60)).toBe(2_940)
})

test('under load, several kinds of work share that fiftieth in turns', async () => {
  await startPermanentLoad()
  const order: string[] = []
  const repeat = async (name: string) => {
    for (let round = 0; round < 3; round++)
      await throttle.run(async () => {
        order.push(name)
        now += 10
      })
  }
  await Promise.all(['e-mails', 'planilha', 'busca'].map(repeat))
  expect(now).toBeGreaterThanOrEqual(8 * 500)
  expect(order).toEqual([1, 2, 3].flatMap(() => ['e-mails', 'planilha', 'busca']))
})

test('undelayed work lengthens the next pause', async () => {
  await startPermanentLoad()
  const beganAt = now
  await throttle.run(work(20))
  await throttle.runUndelayed(work(20))
  await duringSleep()
  expect(await throttle.run(work(0))).toBe(beganAt + 20 + 49 * 40)
})

test('a pause is at most five seconds, however long the work took', async () => {
  await startPermanentLoad()
  expect(await pauseAfter(600_000)).toBe(5_000)
})

test('a pause follows failed work too, and the next work still runs', async () => {
  await startPermanentLoad()
  const failing = throttle.run(async () => {
    now += 60
    throw new Error('away')
  })
  await expect(failing).rejects.toThrow('away')
  const endedAt = now
  expect((await throttle.run(work(0))) - endedAt).toBe(2_940)
})

test('the pause ends when the load ends', async () => {
  await commitBatches(30)
  let sleeps = 0
  duringSleep = async () => {
    if (++sleeps <= 4) await commitBatches(30)
  }
  expect(await pauseAfter(500)).toBe(800)
})

test('the load lasts as long as a slow commit', async () => {
  await commitBatches(30)
  await throttle.run(work(60))
  const endedAt = now
  const commit = Promise.withResolvers<void>()
  const committed = throttle.trackCommit(30, () => commit.promise)
  expect((await throttle.run(work(0))) - endedAt).toBe(2_940)
  commit.resolve()
  await committed
})

test('an aborted signal ends the pause', async () => {
  await startPermanentLoad()
  expect(await pauseAfter(100, AbortSignal.abort())).toBe(0)
})
