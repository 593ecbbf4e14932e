const fallbackMs = 1_000

/**
 * Checks a field that lost the focus, but only after the mouse button, finger or key is released: earlier, the message
 * could move the pressed element away. Some phone keyboards send neither event. Then the check runs after a delay, if
 * nothing is pressed.
 */
export function afterBlur(check: () => unknown): void {
  const released = new AbortController()
  const { signal } = released
  function run(): void {
    if (signal.aborted) return
    released.abort()
    // The click event comes after mouseup.
    setTimeout(check)
  }
  function runUnlessPressed(): void {
    if (document.querySelector(':active')) setTimeout(runUnlessPressed, fallbackMs)
    else run()
  }
  addEventListener('mouseup', run, { signal })
  addEventListener('keyup', run, { signal })
  setTimeout(runUnlessPressed, fallbackMs)
}
