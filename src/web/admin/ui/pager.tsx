// From page to page of a list whose length is known. One page alone has only its length to tell.
import { inWords } from '#web/admin/ui/amounts.ts'

interface PagerProps {
  /** From 1. */
  page: number
  pageSize: number
  total: number
  onPage(page: number): void
}

export function Pager({ page, pageSize, total, onPage }: PagerProps) {
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const first = total === 0 ? 0 : (page - 1) * pageSize + 1
  const told = (
    <p role="status">
      {inWords(first)}–{inWords(Math.min(total, page * pageSize))} de {inWords(total)}
    </p>
  )
  if (pages === 1 && page === 1) return <div className="pager">{told}</div>
  return (
    <nav className="pager" aria-label="Páginas">
      <button type="button" className="button small" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Anterior
      </button>
      {told}
      <button type="button" className="button small" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Próxima
      </button>
    </nav>
  )
}
