// The press that leaves a field must reach what it was meant for, before a remark about the field moves that down.
const patienceMs = 1_000

/** When the finger or the key is up again. Some keyboards of phones tell of neither: then after a while, if nothing is being pressed. */
export function afterLeaving(remark: () => unknown): void {
  const released = new AbortController()
  const { signal } = released
  function tell(): void {
    if (signal.aborted) return
    released.abort()
    // A click comes after the finger is up.
    setTimeout(remark)
  }
  function tellUnlessPressed(): void {
    if (document.querySelector(':active')) setTimeout(tellUnlessPressed, patienceMs)
    else tell()
  }
  addEventListener('mouseup', tell, { signal })
  addEventListener('keyup', tell, { signal })
  setTimeout(tellUnlessPressed, patienceMs)
}
