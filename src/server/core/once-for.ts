// What follows from an object alone is made once for it, and forgotten with it.
export function onceFor<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { value: Value }>()
  return (key) => {
    let known = made.get(key)
    if (!known) {
      known = { value: make(key) }
      made.set(key, known)
    }
    return known.value
  }
}
