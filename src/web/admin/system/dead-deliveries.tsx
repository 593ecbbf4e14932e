// Dead deliveries with the reason, and buttons to send them again.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import {
  listDeadDeliveries,
  maxDeadShown,
  readStatus,
  resendDelivery,
  resendEverything,
  type SystemStatus,
} from '#contract/admin/system.ts'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { pluralize } from '#web/admin/ui/format-number.ts'
import { CheckIcon, SendIcon } from '#web/admin/ui/icons.tsx'
import { EmptyState, QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { Table } from '#web/admin/ui/table.tsx'
import { showToast } from '#web/admin/ui/toast.ts'
import { usePolledQuery } from '#web/admin/ui/use-polled-query.ts'

const kindLabels: Record<string, string> = {
  email: 'E-mail',
  emails: 'E-mails',
  novidade: 'Novidade',
  assinaturas: 'E-mails e linhas de assinaturas',
  'pedidos-repetidos': 'Assinaturas repetidas',
  'assinaturas-repetidas': 'Avisos de assinatura repetida',
  voluntario: 'E-mail e linha de voluntário',
  influenciador: 'E-mail e linha de influenciador',
  lider: 'E-mail e linha de líder',
  planilha: 'Linhas da planilha',
  'planilha-atualizar': 'Atualização da planilha',
  'planilha-remover': 'Retirada da planilha',
  'planilha-remover-antiga': 'Retirada de uma planilha antiga',
  'planilha-conferir': 'Conferência da planilha',
}
const failed = 'Não foi possível reenviar. Tente de novo.'

export function DeadDeliveries({ status: { deliveries } }: { status: SystemStatus }) {
  const queries = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const dead = usePolledQuery(listDeadDeliveries)
  const resending = useMutation({
    mutationFn: (id: number | undefined) =>
      id === undefined ? callAdmin(resendEverything) : callAdmin(resendDelivery, { params: { id: String(id) } }),
    onSuccess: ({ message }) => showToast({ title: 'Pronto', text: message, tone: 'success' }),
    onError: (error) => showToast({ title: 'Não deu certo', text: errorMessage(error, failed), tone: 'error' }),
    async onSettled() {
      await Promise.all(
        [listDeadDeliveries, readStatus].map(({ path }) => queries.invalidateQueries({ queryKey: [path] })),
      )
      // The pressed button disappears with its row.
      heading.current?.focus()
    },
  })

  return (
    <section className="panel" aria-labelledby="entregas-paradas">
      <header className="panel-head">
        <h2 id="entregas-paradas" ref={heading} tabIndex={-1}>
          Entregas paradas
        </h2>
        {deliveries !== null && deliveries.parked > 1 && (
          <button
            type="button"
            className="button small"
            disabled={resending.isPending}
            onClick={() => resending.mutate(undefined)}
          >
            <SendIcon size={18} />
            Reenviar todas ({deliveries.parked})
          </button>
        )}
      </header>
      <p>Depois de várias tentativas uma entrega para e espera por você. Resolva o motivo antes de reenviar.</p>
      {deliveries !== null && deliveries.reasons.length > 0 && (
        <ul>
          {deliveries.reasons.map(({ reason, deliveries: count }) => (
            <li key={reason}>
              {reason} ({pluralize(count, 'entrega', 'entregas')})
            </li>
          ))}
        </ul>
      )}
      <p role="alert" className="error">
        {resending.isError && errorMessage(resending.error, failed)}
      </p>
      <QueryBoundary query={dead} rows={2}>
        {({ deliveries: rows }) =>
          rows.length === 0 ? (
            <EmptyState icon={CheckIcon}>Nenhuma entrega parada.</EmptyState>
          ) : (
            <>
              <Table
                caption="Entregas paradas"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Número', cell: ({ id }) => id },
                  { title: 'O quê', cell: ({ tipo }) => kindLabels[tipo] ?? tipo },
                  { title: 'Motivo', cell: ({ reason }) => reason || 'Sem motivo anotado' },
                  { title: 'Tentativas', numeric: true, cell: ({ tries }) => tries },
                  { title: 'Desde', cell: ({ createdAt }) => formatDateTime(createdAt) },
                  {
                    title: 'Ações',
                    cell: ({ id }) => (
                      <span>
                        <button
                          type="button"
                          className="button small"
                          aria-label={`Reenviar a entrega ${id}`}
                          disabled={resending.isPending}
                          onClick={() => resending.mutate(id)}
                        >
                          Reenviar
                        </button>
                      </span>
                    ),
                  },
                ]}
              />
              {rows.length === maxDeadShown && <p className="faint">São mostradas as {maxDeadShown} mais recentes.</p>}
            </>
          )
        }
      </QueryBoundary>
    </section>
  )
}
