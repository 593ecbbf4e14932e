// Short notices: one at a time, announced to screen readers, gone after five seconds unless pointed at or focused.
import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import './toast.css'

export interface Toast {
  title: string
  text: string
  tone: 'success' | 'error'
}

const displayMs = 5_000
/** How often a toast that is pointed at or focused is looked at again. */
const heldMs = 1_000
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

const nothing = () => undefined

export function Toaster() {
  const toast = useSyncExternalStore(subscribe, () => current, nothing)

  // The regions stay in the page: one that arrives together with its text is not announced.
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
      if (element.current?.matches(':hover, :focus-within')) timer = setTimeout(close, heldMs)
      else clearToast()
    }, displayMs)
    return () => clearTimeout(timer)
  }, [toast])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new toast may have another height
  useLayoutEffect(() => {
    // The form that causes a toast moves the focus in the same turn and may scroll: the place is chosen after both.
    const choosePlace = () => element.current && moveAsideFromControls(element.current)
    const frame = requestAnimationFrame(choosePlace)
    addEventListener('scrollend', choosePlace, { once: true })
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scrollend', choosePlace)
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

/** Shows the toast at the other edge of the window if it covers the focused control or the next one there, but not here. */
function moveAsideFromControls(toast: HTMLElement): void {
  const toaster = toast.closest<HTMLElement>('.toaster')
  if (!toaster) return
  const covered = () => {
    const box = toast.getBoundingClientRect()
    return nextControls().filter((control) => overlaps(box, control.getBoundingClientRect())).length
  }
  toaster.style.inset = ''
  const usual = covered()
  if (usual === 0) return
  const isAbove = toaster.getBoundingClientRect().top < innerHeight / 2
  toaster.style.inset = isAbove ? 'auto 1rem 1rem' : 'var(--toast-top) 1rem auto'
  if (covered() >= usual) toaster.style.inset = ''
}

/** The focused control and the one after it, in the order of the page. */
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
