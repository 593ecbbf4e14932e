// Trying again what may succeed in a moment, with growing pauses, until patience ends.
export interface Patience {
  patienceMs: number
  longestPauseMs?: number
  /** Whether a failure may pass by itself; any other is final at once. */
  isTransient(error: unknown): boolean
}

export async function tryAgain<T>(attempt: () => Promise<T>, patience: Patience): Promise<T> {
  const { patienceMs, longestPauseMs = 800, isTransient } = patience
  const deadline = performance.now() + patienceMs
  for (let delay = 50; ; delay = Math.min(delay * 2, longestPauseMs)) {
    try {
      return await attempt()
    } catch (error) {
      if (!isTransient(error) || performance.now() + delay > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, delay))
    }
  }
}
