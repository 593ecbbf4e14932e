// What went wrong on this server since it started, in short. The whole of it is in the server's log.
import type { SystemStatus } from '#contract/admin/system.ts'
import { inPortuguese } from '#web/admin/system/failure-words.ts'
import { momentInWords } from '#web/admin/ui/moments.ts'
import { Empty } from '#web/admin/ui/states.tsx'
import { Table } from '#web/admin/ui/table.tsx'

export function Failures({ failures }: Pick<SystemStatus, 'failures'>) {
  return (
    <section className="panel" aria-labelledby="ultimas-falhas">
      <h2 id="ultimas-falhas">Últimas falhas deste servidor</h2>
      {failures.length === 0 ? (
        <Empty>Nenhuma desde que ele está no ar.</Empty>
      ) : (
        <Table
          caption="Últimas falhas"
          rows={failures}
          keyOf={({ message, error, route }) => [message, error, route].join(' ')}
          columns={[
            { title: 'Última vez', cell: ({ lastAt }) => momentInWords(lastAt) },
            { title: 'O quê', cell: ({ message }) => inPortuguese[message] ?? message },
            { title: 'Erro', cell: ({ error, route }) => [error, route].filter(Boolean).join(' em ') || '–' },
            { title: 'Vezes', numeric: true, cell: ({ times }) => times },
          ]}
        />
      )}
    </section>
  )
}
