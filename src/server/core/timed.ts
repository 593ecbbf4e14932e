// How long something took, for who rests in proportion.
export async function timed<T>(work: () => Promise<T>): Promise<{ result: T; tookMs: number }> {
  const startedAt = performance.now()
  const result = await work()
  return { result, tookMs: performance.now() - startedAt }
}
