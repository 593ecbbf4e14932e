// Celebrates a goal that was just reached: once, and without motion for people who prefer that. Loaded only then.
const pieces = 48
const colours = ['--yellow', '--red', '--green', '--white', '--ink']
const durationMs = 1_800

/** Returns whether this tab has not celebrated the goal before. */
export function celebrate(slug: string, goal: number, box: Element | null): boolean {
  if (!isFirstTime(`meta-${slug}`, goal)) return false
  if (box && matchMedia('(prefers-reduced-motion: no-preference)').matches) throwConfetti(box)
  return true
}

/** Remembers the highest celebrated goal of a campaign, until the tab is closed. */
function isFirstTime(key: string, goal: number): boolean {
  try {
    if (goal <= Number(sessionStorage.getItem(key))) return false
    sessionStorage.setItem(key, String(goal))
  } catch {
    // Without storage the same goal may be celebrated again.
  }
  return true
}

/** Styles are set by script: the page's Content Security Policy allows no other way. */
function throwConfetti(box: Element): void {
  const { left, top, width } = box.getBoundingClientRect()
  const layer = document.createElement('div')
  layer.setAttribute('aria-hidden', 'true')
  Object.assign(layer.style, { position: 'fixed', inset: '0', overflow: 'hidden', pointerEvents: 'none', zIndex: '3' })
  document.body.append(layer)
  const falls = Array.from({ length: pieces }, (_, index) => {
    const piece = document.createElement('i')
    Object.assign(piece.style, {
      position: 'absolute',
      left: `${left + width * Math.random()}px`,
      top: `${top + 20}px`,
      width: '10px',
      height: '16px',
      background: `var(${colours[index % colours.length]})`,
      border: '1px solid var(--ink)',
    })
    layer.append(piece)
    return fall(piece, Math.max(width, 240))
  })
  void Promise.all(falls).finally(() => layer.remove())
}

/** Up and to the side, then out of the window. */
function fall(piece: Element, spread: number): Promise<unknown> {
  const sideways = (Math.random() - 0.5) * 2 * spread
  const turn = (Math.random() - 0.5) * 1_440
  const top = `translate(${sideways / 2}px, ${-60 - Math.random() * 180}px) rotate(${turn / 2}deg)`
  return piece.animate(
    [
      { transform: 'none', easing: 'cubic-bezier(0.1, 0.7, 0.4, 1)' },
      { transform: top, offset: 0.3, easing: 'cubic-bezier(0.5, 0, 0.9, 0.6)' },
      { transform: `translate(${sideways}px, ${innerHeight}px) rotate(${turn}deg)` },
    ],
    { duration: durationMs * (0.7 + Math.random() * 0.6), fill: 'forwards' },
  ).finished
}
