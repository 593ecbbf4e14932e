// What went wrong on this server since it started, in short. The whole of it is in the server's log.
import type { SystemStatus } from '#contract/admin/system.ts'
import { momentInWords } from '#web/admin/ui/moments.ts'
import { Empty } from '#web/admin/ui/states.tsx'
import { Table } from '#web/admin/ui/table.tsx'

/** As the log calls it. What is not here is told in the log's own words. */
const inPortuguese: Record<string, string> = {
  'unexpected failure': 'Falha inesperada em uma chamada',
  'database connection lost': 'Conexão com o banco perdida',
  'counts not refreshed': 'Contadores não renovados',
  'campaigns not refreshed': 'Campanhas não renovadas',
  'contents not refreshed': 'Conteúdos não renovados',
  'numbers not refreshed': 'Números não renovados',
  'cities not counted': 'Cidades não contadas',
  'status not read': 'Uma parte deste status não pôde ser lida',
  'page served stale': 'Página servida como estava antes',
  'repeat notices not queued': 'Avisos de repetição não enfileirados',
  'refused passwords not recorded': 'Senhas recusadas não anotadas no registro',
  'destination away': 'Um destino de entregas não respondeu',
  'deliveries not claimed': 'Fila de entregas não lida',
  'deliveries not expanded': 'Entregas não separadas',
  'delivery failed unexpectedly': 'Uma entrega falhou sem motivo conhecido',
  'outcome of a delivery not recorded': 'Resultado de uma entrega não anotado',
  'queue of deliveries not reached': 'Fila de entregas fora de alcance',
  'embedded database died; it is being opened again': 'O banco embutido caiu e está sendo reaberto',
  'embedded database is open again': 'O banco embutido está aberto de novo',
}

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
