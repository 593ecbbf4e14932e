// Toasts: one at a time, announced to screen readers, closed after five seconds unless hovered or focused.
import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import './toast.css'

export interface Toast {
  title: string
  text: string
  tone: 'success' | 'error'
}

const displayMs = 5_000
/** How often a hovered or focused toast is checked again. */
const recheckMs = 1_000
const listeners = new Set<() => void>()
let current: Toast | undefined

function replace(toast: Toast | undefined): void {
  current = toast
  for (const listener of listeners) listener()
}

export function showToast(toast: Toast): void {
  replace({ ...toast })
}

export function clearToast(): void {
  replace(undefined)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const noToast = () => undefined

export function Toaster() {
  const toast = useSyncExternalStore(subscribe, () => current, noToast)

  // The live regions stay in the page: screen readers do not announce a region that is added together with its text.
  return (
    <div className="toaster">
      <div role="status">{toast?.tone === 'success' && <Notice toast={toast} />}</div>
      <div role="alert">{toast?.tone === 'error' && <Notice toast={toast} />}</div>
    </div>
  )
}

function Notice({ toast }: { toast: Toast }) {
  const element = useRef<HTMLDivElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new toast has its own five seconds
  useEffect(() => {
    let timer = setTimeout(function close() {
      if (element.current?.matches(':hover, :focus-within')) timer = setTimeout(close, recheckMs)
      else clearToast()
    }, displayMs)
    return () => clearTimeout(timer)
  }, [toast])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new toast may have another height
  useLayoutEffect(() => {
    // The form that shows a toast moves the focus in the same task and may scroll: the position is chosen after both.
    const choosePosition = () => element.current && moveAsideFromControls(element.current)
    const frame = requestAnimationFrame(choosePosition)
    addEventListener('scrollend', choosePosition, { once: true })
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scrollend', choosePosition)
    }
  }, [toast])

  return (
    <div ref={element} className={`toast toast-${toast.tone}`}>
      <strong>{toast.title}</strong>
      <p>{toast.text}</p>
      <button type="button" aria-label="Fechar aviso" onClick={() => replace(undefined)}>
        ×
      </button>
    </div>
  )
}

const controls = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'

/** Moves the toast to the other edge of the window if it then covers fewer of the next controls. */
function moveAsideFromControls(toast: HTMLElement): void {
  const toaster = toast.closest<HTMLElement>('.toaster')
  if (!toaster) return
  const covered = () => {
    const box = toast.getBoundingClientRect()
    return nextControls().filter((control) => overlaps(box, control.getBoundingClientRect())).length
  }
  toaster.style.inset = ''
  const coveredAtDefault = covered()
  if (coveredAtDefault === 0) return
  const isAtTop = toaster.getBoundingClientRect().top < innerHeight / 2
  toaster.style.inset = isAtTop ? 'auto 1rem 1rem' : 'var(--toast-top) 1rem auto'
  if (covered() >= coveredAtDefault) toaster.style.inset = ''
}

/** The focused control and the one after it in document order. */
function nextControls(): Element[] {
  const from = document.activeElement ?? document.body
  const following = [...document.querySelectorAll(controls)].filter(
    (control) =>
      !control.closest('.toaster, .honeypot') &&
      control.getClientRects().length > 0 &&
      (from === document.body
        ? control.getBoundingClientRect().bottom > 0
        : from === control || from.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING),
  )
  return following.slice(0, 2)
}

function overlaps(one: DOMRect, other: DOMRect): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
}
