// Work of which only so much is done at once, with a line before it that is never endless.
import { httpMessages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'

export interface InTurnOptions {
  mostAtOnce: number
  mostWaiting: number
  /** Who has waited longer than this is told so instead: the caller has given up by then. */
  patienceMs?: number
  onRefusal?: () => void
}

export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

export function createInTurn(options: InTurnOptions): InTurn {
  const { mostAtOnce, mostWaiting, patienceMs = Number.POSITIVE_INFINITY, onRefusal } = options
  const line: (() => void)[] = []
  let underWay = 0

  function refuse(): never {
    onRefusal?.()
    throw new AppError('unavailable', httpMessages.unavailable)
  }

  return async (work) => {
    const since = performance.now()
    if (underWay < mostAtOnce) underWay += 1
    else if (line.length < mostWaiting) await new Promise<void>((resolve) => line.push(resolve))
    else refuse()
    try {
      if (performance.now() - since > patienceMs) refuse()
      return await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else underWay -= 1
    }
  }
}
