// Celebrates a goal that was just reached: once, and without motion for people who prefer that. Loaded only then.
import { messages } from '#contract/messages.ts'
import { formatNumber } from '#web/ui/format-number.ts'
import { clearToast, showToast } from '#web/ui/toast.tsx'

const pieces = 48
const colours = ['--yellow', '--red', '--green', '--white', '--ink']
const durationMs = 1_800
/** The page counts as still after this many frames without movement. */
const stillFrames = 6

/** Returns whether this tab has not celebrated the goal before. */
export function celebrate(slug: string, goal: number, box: Element | null): boolean {
  if (!isFirstTime(`meta-${slug}`, goal)) return false
  if (box)
    void untilStill(box).then(() => {
      giveWayToGoal(goal, box)
      if (matchMedia('(prefers-reduced-motion: no-preference)').matches) throwConfetti(box)
    })
  return true
}

/** The thank-you view that appears after the own signature scrolls the page. */
async function untilStill(box: Element): Promise<void> {
  let top = 0
  for (let still = 0; still < stillFrames; ) {
    await new Promise(requestAnimationFrame)
    const now = box.getBoundingClientRect().top
    still = now === top ? still + 1 : 0
    top = now
  }
}

/** The toast of the own signature would cover the goal, or the goal is outside the window: then the toast names it. */
function giveWayToGoal(goal: number, box: Element): void {
  if (!document.querySelector('.toast-success')) return
  const { top, bottom } = box.getBoundingClientRect()
  if (top >= 0 && bottom <= innerHeight) clearToast()
  else showToast({ title: `Chegamos a ${formatNumber(goal)}!`, text: messages.petition.signed, tone: 'success' })
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
  // Inside the window, also when the counter is above or below it.
  const start = Math.min(Math.max(top + 20, innerHeight / 4), innerHeight - 40)
  const layer = document.createElement('div')
  layer.setAttribute('aria-hidden', 'true')
  Object.assign(layer.style, { position: 'fixed', inset: '0', overflow: 'hidden', pointerEvents: 'none', zIndex: '3' })
  document.body.append(layer)
  const falls = Array.from({ length: pieces }, (_, index) => {
    const piece = document.createElement('i')
    Object.assign(piece.style, {
      position: 'absolute',
      left: `${left + width * Math.random()}px`,
      top: `${start}px`,
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
