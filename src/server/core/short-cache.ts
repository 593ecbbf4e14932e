/** Concurrent calls share one load, and its outcome, also a failure, is used again until the period is over. */
export function createShortCache<Result>(load: () => Promise<Result>, periodMs: number) {
  let last: { outcome: Promise<Result>; until: number } | undefined
  return {
    get(): Promise<Result> {
      if (last && performance.now() < last.until) return last.outcome
      const outcome = load()
      // The period begins when the load ends: until then, all calls share it.
      const entry = { outcome, until: Number.POSITIVE_INFINITY }
      last = entry
      const end = () => {
        entry.until = performance.now() + periodMs
      }
      outcome.then(end, end)
      return outcome
    },
    expire(): void {
      last = undefined
    },
  }
}
