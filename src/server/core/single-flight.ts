/** Concurrent calls with the same key share one load. For public requests, which share connections with signing. */
export function singleFlight<Result, Key = void>(load: (key: Key) => Promise<Result>): (key: Key) => Promise<Result> {
  const inFlight = new Map<Key, Promise<Result>>()
  return (key) => {
    const pending = inFlight.get(key)
    if (pending) return pending
    const result = load(key).finally(() => inFlight.delete(key))
    inFlight.set(key, result)
    return result
  }
}
