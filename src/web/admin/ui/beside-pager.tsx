// From page to page of a list so long that its pages have no numbers: to what came before and after what is shown.
interface BesidePagerProps {
  hasNewer: boolean
  hasOlder: boolean
  onNewer(): void
  onOlder(): void
}

export function BesidePager({ hasNewer, hasOlder, onNewer, onOlder }: BesidePagerProps) {
  if (!hasNewer && !hasOlder) return null
  return (
    <nav className="pager" aria-label="Páginas">
      <button type="button" className="button small" disabled={!hasNewer} onClick={onNewer}>
        Mais recentes
      </button>
      <button type="button" className="button small" disabled={!hasOlder} onClick={onOlder}>
        Anteriores
      </button>
    </nav>
  )
}
