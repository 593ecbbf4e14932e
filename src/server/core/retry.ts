interface RetryOptions {
  timeoutMs: number
  maxPauseMs?: number
  /** Whether another attempt may succeed. Other failures are thrown at once. */
  isTransient(error: unknown): boolean
}

/** Repeats transient failures with growing pauses, until `patienceMs` is over. */
export async function retry<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { timeoutMs, maxPauseMs = 800, isTransient } = options
  const deadline = performance.now() + timeoutMs
  for (let delay = 50; ; delay = Math.min(delay * 2, maxPauseMs)) {
    try {
      return await attempt()
    } catch (error) {
      if (!isTransient(error) || performance.now() + delay > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, delay))
    }
  }
}
