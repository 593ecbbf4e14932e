// A rush: people sign faster than commits of one by one could keep up with. What may wait gives way to them.
import { setTimeout as delay } from 'node:timers/promises'

export interface Rush {
  /** So many signatures were committed together: as many as came during the commit before. */
  committed(signatures: number): void
  /** Awaited after work that may wait and that took so long. Calm: at once. In a rush: late enough to leave most of the time to who signs. */
  giveWay(tookMs: number, signal?: AbortSignal): Promise<void>
}

export interface Clock {
  now(): number
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => {}),
}

const manyTogether = 10
/** When nobody signs for so long, it is over. */
const overAfterMs = 200
/** Times as long as the work took. With nine, by the clock a tenth, signing lost a quarter of its pace. */
const restingShare = 49
const longestRestMs = 5_000

export function createRush({ now, sleep }: Clock = systemClock): Rush {
  let together = 0
  let lastAt = Number.NEGATIVE_INFINITY

  const isOn = () => together >= manyTogether && now() - lastAt < overAfterMs

  return {
    committed(signatures) {
      together = 0.9 * together + 0.1 * signatures
      lastAt = now()
    },
    async giveWay(tookMs, signal) {
      const endsAt = now() + Math.min(restingShare * tookMs, longestRestMs)
      while (isOn() && now() < endsAt && !signal?.aborted) await sleep(Math.min(endsAt - now(), overAfterMs), signal)
    },
  }
}
