/** Computes a value once per object. The value is garbage-collected with its object. */
export function memoize<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const cache = new WeakMap<Key, { value: Value }>()
  return (key) => {
    let entry = cache.get(key)
    if (!entry) {
      entry = { value: compute(key) }
      cache.set(key, entry)
    }
    return entry.value
  }
}
