// Asks before unsaved input is lost: with a dialog within the admin area, with the browser's prompt outside it.
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { type Location, useBlocker } from 'react-router'
import { readToken } from '#web/admin/session/session.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'

type Action = () => void

const guards = new Set<(action: Action) => boolean>()

/** Runs an action that ends the page without a navigation; asks first if there is unsaved input. */
export function guardUnsaved(action: Action): void {
  if (![...guards].some((guard) => guard(action))) action()
}

/** Forms beside the main one of a page. A router has one blocker, so the guard of the page asks for them too. */
const otherForms = new Set<() => boolean>()

export function useAlsoGuarded(when: () => boolean): void {
  useEffect(() => {
    otherForms.add(when)
    return () => void otherForms.delete(when)
  })
}

const urlOf = ({ pathname, search }: Location) => pathname + search

export function UnsavedGuard(form: { when(): boolean }) {
  const when = () => form.when() || [...otherForms].some((isUnsaved) => isUnsaved())
  const [pendingAction, setPendingAction] = useState<Action>()
  // An expired session is not a decision to leave: forms save their drafts then.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      readToken() !== null && urlOf(currentLocation) !== urlOf(nextLocation) && when(),
  )

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => when() && event.preventDefault()
    addEventListener('beforeunload', ask)
    const guard = (action: Action) => {
      const isUnsaved = when()
      if (isUnsaved) setPendingAction(() => action)
      return isUnsaved
    }
    guards.add(guard)
    return () => {
      removeEventListener('beforeunload', ask)
      guards.delete(guard)
    }
  })

  if (blocker.state !== 'blocked' && !pendingAction) return null
  function stay(): void {
    setPendingAction(undefined)
    blocker.reset?.()
  }
  function proceed(): void {
    setPendingAction(undefined)
    pendingAction?.()
    blocker.proceed?.()
  }
  return createPortal(
    <Dialog title="Sair sem salvar?" onClose={stay}>
      <p>O que você mudou nesta página ainda não foi salvo e vai se perder.</p>
      <div className="actions">
        <button type="button" className="button" onClick={stay}>
          Continuar editando
        </button>
        <button type="button" className="button button-danger" onClick={proceed}>
          Sair sem salvar
        </button>
      </div>
    </Dialog>,
    document.body,
  )
}
