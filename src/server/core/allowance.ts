// How much each key may still do: buckets that fill up again by themselves. Their number is fixed, so nobody can fill the memory, and nothing is kept
// of the keys. Two keys may share a bucket; which ones nobody can foresee, and buckets are many times more than those who use theirs up.
export interface Allowance {
  /** Takes from the key's bucket if there is enough, and answers whether there was. When there was not, nothing is taken. */
  take(key: string, cost?: number): boolean
  /** Returns one token to the key's bucket. */
  giveBack(key: string): void
}

export interface AllowanceOptions {
  capacity: number
  perSecond: number
  /** A power of two. */
  buckets?: number
  now?: () => number
}

export function createAllowance(options: AllowanceOptions): Allowance {
  const { capacity, perSecond, buckets = 2 ** 17, now = () => performance.now() } = options
  const left = new Float32Array(buckets).fill(capacity)
  const at = new Float64Array(buckets)
  const seed = Math.floor(Math.random() * 2 ** 32)

  function bucketOf(key: string): number {
    let hash = seed
    for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
    return (hash ^ (hash >>> 15)) & (buckets - 1)
  }

  return {
    take(key, cost = 1) {
      const bucket = bucketOf(key)
      const moment = now()
      const filled = (left[bucket] ?? 0) + ((moment - (at[bucket] ?? 0)) / 1000) * perSecond
      const available = Math.min(capacity, filled)
      // A refused request that consumed what has just been refilled would keep the bucket empty for everybody who shares it.
      if (available < cost) return false
      at[bucket] = moment
      left[bucket] = available - cost
      return true
    },
    giveBack(key) {
      const bucket = bucketOf(key)
      left[bucket] = Math.min(capacity, (left[bucket] ?? 0) + 1)
    },
  }
}
