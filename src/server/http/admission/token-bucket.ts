// Token buckets by key. Their number is fixed, so memory is bounded, and no key is stored. Two keys may share a
// bucket; a random seed makes it unpredictable which, and there are far more buckets than clients that empty theirs.
interface TokenBucketOptions {
  capacity: number
  perSecond: number
  /** A power of two. */
  buckets?: number
  now?: () => number
}

export function createTokenBuckets(options: TokenBucketOptions) {
  const { capacity, perSecond, buckets = 2 ** 17, now = () => performance.now() } = options
  const left = new Float32Array(buckets).fill(capacity)
  const updatedAt = new Float64Array(buckets)
  const seed = Math.floor(Math.random() * 2 ** 32)

  function bucketOf(key: string): number {
    let hash = seed
    for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
    return (hash ^ (hash >>> 15)) & (buckets - 1)
  }

  return {
    /** Takes tokens if there are enough, and returns whether there were. Otherwise nothing is taken. */
    take(key: string, tokens = 1): boolean {
      const bucket = bucketOf(key)
      const time = now()
      const refilled = (left[bucket] ?? 0) + ((time - (updatedAt[bucket] ?? 0)) / 1000) * perSecond
      const available = Math.min(capacity, refilled)
      // A refused request takes nothing: otherwise it would keep the bucket empty for every client that shares it.
      if (available < tokens) return false
      updatedAt[bucket] = time
      left[bucket] = available - tokens
      return true
    },
    /** Returns one token. */
    refund(key: string): void {
      const bucket = bucketOf(key)
      left[bucket] = Math.min(capacity, (left[bucket] ?? 0) + 1)
    },
  }
}
