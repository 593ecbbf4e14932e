// Pager of lists that are too long for page numbers: newer and older entries instead.
import { type ReactNode, useEffect } from 'react'
import { BackIcon, ForwardIcon } from '#web/admin/ui/icons.tsx'
import './pager.css'

interface CursorPagerProps {
  /** Length of the list, if known. */
  summary?: ReactNode
  hasNewer: boolean
  hasOlder: boolean
  onNewer(): void
  onOlder(): void
}

export function CursorPager({ summary, hasNewer, hasOlder, onNewer, onOlder }: CursorPagerProps) {
  const length = summary && <p role="status">{summary}</p>
  const go = (move: () => void) => () => {
    move()
    scrollTo(0, 0)
  }
  if (!hasNewer && !hasOlder) return length ? <div className="pager">{length}</div> : null
  return (
    <nav className="pager" aria-label="Páginas">
      <button type="button" className="button small" disabled={!hasNewer} onClick={go(onNewer)}>
        <BackIcon size={18} />
        Mais recentes
      </button>
      {length}
      <button type="button" className="button small" disabled={!hasOlder} onClick={go(onOlder)}>
        Anteriores
        <ForwardIcon size={18} />
      </button>
    </nav>
  )
}

/** Paging back to the newest entry ends on the first page: complete, and under its own URL. */
export function useFirstPage(isReached: boolean, goToFirstPage: () => void): void {
  useEffect(() => {
    if (isReached) goToFirstPage()
  })
}

/** For a page that is empty because the entries next to its cursor were deleted. */
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
