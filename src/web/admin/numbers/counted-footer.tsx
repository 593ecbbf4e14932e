import type { ReactNode } from 'react'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { pluralize } from '#web/admin/ui/format-number.ts'

interface CountedFooterProps {
  count: { at: string; signatures: number }
  /** Signatures since the count; negative when more were removed than added. */
  uncounted: number
  /** How the signatures were counted, such as "por cidade". */
  by: string
  csvExport: { isPending: boolean; isError: boolean; mutate(): void }
  children: ReactNode
}

/** Says when the signatures were counted, and offers them as a file. */
export function CountedFooter({ count, uncounted, by, csvExport, children }: CountedFooterProps) {
  return (
    <>
      <footer>
        <p className="faint">
          {pluralize(count.signatures, 'assinatura contada', 'assinaturas contadas')} {by} em {formatDateTime(count.at)}
          {uncounted > 0 && `; ${pluralize(uncounted, 'chegou', 'chegaram')} depois`}
          {uncounted < 0 && `; ${pluralize(-uncounted, 'foi retirada', 'foram retiradas')} depois`}. {children}
        </p>
        <button
          type="button"
          className="button small"
          disabled={csvExport.isPending}
          onClick={() => csvExport.mutate()}
        >
          Baixar CSV
        </button>
      </footer>
      <p role="alert" className="error">
        {csvExport.isError && 'Não foi possível baixar. Tente de novo.'}
      </p>
    </>
  )
}
