// Short notices: one at a time, gone after five seconds, announced to screen readers.
import { useEffect, useSyncExternalStore } from 'react'
import './toast.css'

export interface Toast {
  title: string
  text: string
  tone: 'success' | 'error'
}

const displayMs = 5_000
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

  useEffect(() => {
    if (!toast) return
    const timer = setTimeout(replace, displayMs, undefined)
    return () => clearTimeout(timer)
  }, [toast])

  // The regions stay in the page: one that arrives together with its text is not announced.
  return (
    <div className="toaster">
      <div role="status">{toast?.tone === 'success' && <Notice toast={toast} />}</div>
      <div role="alert">{toast?.tone === 'error' && <Notice toast={toast} />}</div>
    </div>
  )
}

function Notice({ toast }: { toast: Toast }) {
  return (
    <div className={`toast toast-${toast.tone}`}>
      <strong>{toast.title}</strong>
      <p>{toast.text}</p>
      <button type="button" aria-label="Fechar aviso" onClick={() => replace(undefined)}>
        ×
      </button>
    </div>
  )
}
