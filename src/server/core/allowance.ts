// How much each key may still do: buckets that fill up again by themselves. Their number is fixed, so nobody can fill the memory, and nothing is kept
// of the keys. Two keys may share a bucket; which ones nobody can foresee, and buckets are many times more than those who use theirs up.
export interface Allowance {
  /** Takes from the key's bucket and answers whether there was enough. */
  take(key: string, cost?: number): boolean
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
      at[bucket] = moment
      left[bucket] = Math.max(0, available - cost)
      return available >= cost
    },
  }
}
