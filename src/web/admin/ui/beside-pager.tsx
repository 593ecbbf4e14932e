// From page to page of a list so long that its pages have no numbers: to what came before and after what is shown.
import { type ReactNode, useEffect } from 'react'

interface BesidePagerProps {
  /** How long the list is, if that is known. */
  told?: ReactNode
  hasNewer: boolean
  hasOlder: boolean
  onNewer(): void
  onOlder(): void
}

export function BesidePager({ told, hasNewer, hasOlder, onNewer, onOlder }: BesidePagerProps) {
  const length = told && <p role="status">{told}</p>
  const go = (move: () => void) => () => {
    move()
    scrollTo(0, 0)
  }
  if (!hasNewer && !hasOlder) return length ? <div className="pager">{length}</div> : null
  return (
    <nav className="pager" aria-label="Páginas">
      <button type="button" className="button small" disabled={!hasNewer} onClick={go(onNewer)}>
        Mais recentes
      </button>
      {length}
      <button type="button" className="button small" disabled={!hasOlder} onClick={go(onOlder)}>
        Anteriores
      </button>
    </nav>
  )
}

/** Who goes back as far as the newest has reached the first page: whole, and under its own address. */
export function useFirstPage(isReached: boolean, goThere: () => void): void {
  useEffect(() => {
    if (isReached) goThere()
  })
}

/** For a page that is empty because what was beside it is gone. */
export function ListEnd({ onStart }: { onStart(): void }) {
  return (
    <>
      <p>Não há mais nada deste lado da lista.</p>
      <button type="button" className="button small" onClick={onStart}>
        Ir para o começo da lista
      </button>
    </>
  )
}
