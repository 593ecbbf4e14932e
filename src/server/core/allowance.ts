// How much each key may still do: a bucket that fills up again by itself. The number of keys is bounded, so that nobody can fill the memory.
export interface Allowance {
  /** Takes from the key's bucket and answers whether there was enough. */
  take(key: string, cost?: number): boolean
}

export interface AllowanceOptions {
  capacity: number
  perSecond: number
  maxKeys?: number
  now?: () => number
}

export function createAllowance(options: AllowanceOptions): Allowance {
  const { capacity, perSecond, maxKeys = 100_000, now = () => performance.now() } = options
  // Two generations: when the younger is full the elder is forgotten as a whole, by which time most of its buckets have filled up again.
  let younger = new Map<string, Bucket>()
  let elder = new Map<string, Bucket>()

  function bucketOf(key: string): Bucket {
    let bucket = younger.get(key)
    if (bucket) return bucket
    bucket = elder.get(key) ?? { left: capacity, at: now() }
    if (younger.size >= maxKeys / 2) {
      elder = younger
      younger = new Map()
    }
    younger.set(key, bucket)
    return bucket
  }

  return {
    take(key, cost = 1) {
      const bucket = bucketOf(key)
      const at = now()
      const left = Math.min(capacity, bucket.left + ((at - bucket.at) / 1000) * perSecond)
      bucket.at = at
      bucket.left = Math.max(0, left - cost)
      return left >= cost
    },
  }
}

interface Bucket {
  left: number
  at: number
}
