// A rush: people sign faster than commits of one by one could keep up with. What may wait is done behind them.
import { setTimeout as delay } from 'node:timers/promises'

export interface Rush {
  /** Commits so many signatures together: as many as came during the commit before. */
  committing<T>(signatures: number, commit: () => Promise<T>): Promise<T>
  /**
   * Does what may wait. Calm: at once. In a rush: one after another, with rests that leave most of the time to who signs.
   * Who must leave waits no longer, and is to look at the signal before anything that another node can do.
   */
  behind<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Does what follows from it and cannot be put off any more; the rest after it is longer for that. */
  counted<T>(work: () => Promise<T>): Promise<T>
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
/** When nothing was committed for so long, and nothing is about to be, it is over. */
const overAfterMs = 200
/** Times as long as the work took. With nine, by the clock a tenth, signing lost a quarter of its pace. */
const restingShare = 49
const longestRestMs = 5_000

export function createRush({ now, sleep }: Clock = systemClock): Rush {
  let together = 0
  let lastAt = Number.NEGATIVE_INFINITY
  let underWay = 0
  /** When all that was done so far has rested. */
  let restedAt = Number.NEGATIVE_INFINITY
  const line = new Set<symbol>()

  const isOn = () => together >= manyTogether && (underWay > 0 || now() - lastAt < overAfterMs)
  const isFirst = (ticket: symbol) => line.values().next().value === ticket

  async function counted<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = now()
    try {
      return await work()
    } finally {
      const endedAt = now()
      const restMs = restingShare * (endedAt - startedAt)
      restedAt = Math.min(Math.max(restedAt, endedAt) + restMs, endedAt + longestRestMs)
    }
  }

  return {
    async committing(signatures, commit) {
      underWay += 1
      try {
        return await commit()
      } finally {
        underWay -= 1
        together = 0.9 * together + 0.1 * signatures
        lastAt = now()
      }
    },
    counted,
    async behind(work, signal) {
      const ticket = Symbol()
      line.add(ticket)
      try {
        while (isOn() && !signal?.aborted && !(isFirst(ticket) && now() >= restedAt)) {
          const restMs = restedAt - now()
          await sleep(restMs > 0 ? Math.min(restMs, overAfterMs) : overAfterMs, signal)
        }
        return await counted(work)
      } finally {
        line.delete(ticket)
      }
    },
  }
}
