// Deliveries that were given up, with the reason, and the way to try them again.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import {
  listParked,
  parkedShown,
  readStatus,
  resendDelivery,
  resendEverything,
  type SystemStatus,
} from '#contract/admin/system.ts'
import { callAdmin, sentenceOf } from '#web/admin/api.ts'
import { counted } from '#web/admin/ui/amounts.ts'
import { momentInWords } from '#web/admin/ui/moments.ts'
import { Empty, Shown } from '#web/admin/ui/states.tsx'
import { Table } from '#web/admin/ui/table.tsx'
import { showToast } from '#web/admin/ui/toast.ts'
import { useRefreshed } from '#web/admin/ui/use-refreshed.ts'

const kinds: Record<string, string> = {
  email: 'E-mail',
  emails: 'E-mails',
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

export function ParkedDeliveries({ status: { deliveries } }: { status: SystemStatus }) {
  const queries = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const parked = useRefreshed(listParked)
  const resending = useMutation({
    mutationFn: (id: number | undefined) =>
      id === undefined ? callAdmin(resendEverything) : callAdmin(resendDelivery, { params: { id: String(id) } }),
    onSuccess: ({ message }) => showToast({ title: 'Pronto', text: message, tone: 'success' }),
    onError: (error) => showToast({ title: 'Não deu certo', text: sentenceOf(error, failed), tone: 'error' }),
    async onSettled() {
      await Promise.all([listParked, readStatus].map(({ path }) => queries.invalidateQueries({ queryKey: [path] })))
      // The button that was pressed is gone with its row.
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
            Reenviar todas ({deliveries.parked})
          </button>
        )}
      </header>
      <p>Depois de várias tentativas uma entrega para e espera por você. Resolva o motivo antes de reenviar.</p>
      {deliveries !== null && deliveries.reasons.length > 0 && (
        <ul>
          {deliveries.reasons.map(({ reason, deliveries: count }) => (
            <li key={reason}>
              {reason} ({counted(count, 'entrega', 'entregas')})
            </li>
          ))}
        </ul>
      )}
      <p role="alert" className="error">
        {resending.isError && sentenceOf(resending.error, failed)}
      </p>
      <Shown query={parked} rows={2}>
        {({ deliveries: rows }) =>
          rows.length === 0 ? (
            <Empty>Nenhuma entrega parada.</Empty>
          ) : (
            <>
              <Table
                caption="Entregas paradas"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Número', cell: ({ id }) => id },
                  { title: 'O quê', cell: ({ tipo }) => kinds[tipo] ?? tipo },
                  { title: 'Motivo', cell: ({ reason }) => reason || 'Sem motivo anotado' },
                  { title: 'Tentativas', numeric: true, cell: ({ tries }) => tries },
                  { title: 'Desde', cell: ({ createdAt }) => momentInWords(createdAt) },
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
              {rows.length === parkedShown && <p className="faint">São mostradas as {parkedShown} mais recentes.</p>}
            </>
          )
        }
      </Shown>
    </section>
  )
}
