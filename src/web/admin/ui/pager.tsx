import { formatNumber } from '#web/admin/ui/format-number.ts'
import { BackIcon, ForwardIcon } from '#web/admin/ui/icons.tsx'
import './pager.css'

interface PagerProps {
  /** From 1. */
  page: number
  pageSize: number
  total: number
  onPage(page: number): void
}

export function Pager({ page, pageSize, total, onPage }: PagerProps) {
  const pageCount = Math.max(1, Math.ceil(total / pageSize))
  const first = total === 0 ? 0 : (page - 1) * pageSize + 1
  const range = (
    <p role="status">
      {formatNumber(first)}–{formatNumber(Math.min(total, page * pageSize))} de {formatNumber(total)}
    </p>
  )
  if (pageCount === 1 && page === 1) return <div className="pager">{range}</div>
  return (
    <nav className="pager" aria-label="Páginas">
      <button type="button" className="button small" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <BackIcon size={18} />
        Anterior
      </button>
      {range}
      <button type="button" className="button small" disabled={page >= pageCount} onClick={() => onPage(page + 1)}>
        Próxima
        <ForwardIcon size={18} />
      </button>
    </nav>
  )
}
