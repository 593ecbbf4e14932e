// Asks before what was typed is left behind: within the area with our own question, at its door with the browser's.
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { type Location, useBlocker } from 'react-router'
import { readToken } from '#web/admin/session/session.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'

type Deed = () => void

const guards = new Set<(deed: Deed) => boolean>()

/** For what ends the page without leading to another: done at once, or after the question. */
export function askBefore(deed: Deed): void {
  if (![...guards].some((hold) => hold(deed))) deed()
}

const addressOf = ({ pathname, search }: Location) => pathname + search

export function UnsavedGuard({ when }: { when(): boolean }) {
  const [held, setHeld] = useState<Deed>()
  // A session that has ended is no decision to leave: forms keep their drafts then.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      readToken() !== null && addressOf(currentLocation) !== addressOf(nextLocation) && when(),
  )

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => when() && event.preventDefault()
    addEventListener('beforeunload', ask)
    const hold = (deed: Deed) => {
      const holds = when()
      if (holds) setHeld(() => deed)
      return holds
    }
    guards.add(hold)
    return () => {
      removeEventListener('beforeunload', ask)
      guards.delete(hold)
    }
  })

  if (blocker.state !== 'blocked' && !held) return null
  function stay(): void {
    setHeld(undefined)
    blocker.reset?.()
  }
  function goOn(): void {
    setHeld(undefined)
    held?.()
    blocker.proceed?.()
  }
  return createPortal(
    <Dialog title="Sair sem salvar?" onClose={stay}>
      <p>O que você mudou nesta página ainda não foi salvo e vai se perder.</p>
      <div className="actions">
        <button type="button" className="button" onClick={stay}>
          Continuar editando
        </button>
        <button type="button" className="button button-danger" onClick={goOn}>
          Sair sem salvar
        </button>
      </div>
    </Dialog>,
    document.body,
  )
}
