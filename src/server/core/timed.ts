/** Measures the duration of work, for pauses in proportion to it. */
export async function timed<T>(work: () => Promise<T>): Promise<{ result: T; tookMs: number }> {
  const startedAt = performance.now()
  const result = await work()
  return { result, tookMs: performance.now() - startedAt }
}
