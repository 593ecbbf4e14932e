import type { SystemStatus } from '#contract/admin/system.ts'
import { failureMessages } from '#web/admin/system/failure-messages.ts'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { CheckIcon } from '#web/admin/ui/icons.tsx'
import { EmptyState } from '#web/admin/ui/query-boundary.tsx'
import { Table } from '#web/admin/ui/table.tsx'

/** Failures since the server started, in short. The details are in its log. */
export function Failures({ failures }: Pick<SystemStatus, 'failures'>) {
  return (
    <section className="panel" aria-labelledby="ultimas-falhas">
      <h2 id="ultimas-falhas">Últimas falhas deste servidor</h2>
      {failures.length === 0 ? (
        <EmptyState icon={CheckIcon}>Nenhuma desde que ele está no ar.</EmptyState>
      ) : (
        <Table
          caption="Últimas falhas"
          rows={failures}
          keyOf={({ message, error, route }) => [message, error, route].join(' ')}
          columns={[
            { title: 'Última vez', cell: ({ lastAt }) => formatDateTime(lastAt) },
            { title: 'O quê', cell: ({ message }) => failureMessages[message] ?? message },
            { title: 'Erro', cell: ({ error, route }) => [error, route].filter(Boolean).join(' em ') || '–' },
            { title: 'Vezes', numeric: true, cell: ({ times }) => times },
          ]}
        />
      )}
    </section>
  )
}
