// Asks before what was typed is left behind: within the area with our own question, at its door with the browser's.
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { useBlocker } from 'react-router'
import { readToken } from '#web/admin/session/session.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'

export function UnsavedGuard({ when }: { when(): boolean }) {
  // A session that has ended is no decision to leave: forms keep their drafts then.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      readToken() !== null && currentLocation.pathname !== nextLocation.pathname && when(),
  )

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => when() && event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  })

  if (blocker.state !== 'blocked') return null
  return createPortal(
    <Dialog title="Sair sem salvar?" onClose={blocker.reset}>
      <p>O que você mudou nesta página ainda não foi salvo e vai se perder.</p>
      <div className="actions">
        <button type="button" className="button" onClick={blocker.reset}>
          Continuar editando
        </button>
        <button type="button" className="button button-danger" onClick={blocker.proceed}>
          Sair sem salvar
        </button>
      </div>
    </Dialog>,
    document.body,
  )
}
