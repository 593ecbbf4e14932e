// Reserved data of leaders, displayed on request. The audit log records each request, and the data disappears again.
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { adminMessages } from '#contract/admin/messages.ts'
import { revealLeader } from '#contract/admin/people.ts'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { formatDay } from '#web/admin/people/people-labels.ts'
import { DescriptionList } from '#web/admin/ui/description-list.tsx'

const visibleMs = 60_000
const { noKey } = adminMessages.people

export function ReservedData({ id, masked }: { id: string; masked: string }) {
  // Personal data is not kept in the cache.
  const revealing = useMutation({ mutationFn: () => callAdmin(revealLeader, { params: { id } }), gcTime: 0 })
  const { data, error, isPending, mutate, reset } = revealing

  useEffect(() => {
    if (!data) return
    const timer = setTimeout(reset, visibleMs)
    return () => clearTimeout(timer)
  }, [data, reset])

  return (
    <section className="panel" aria-labelledby="reservados">
      <h2 id="reservados">Dados reservados</h2>
      <div role="status">
        {data ? (
          <DescriptionList
            items={[
              ['CPF', data.cpf ?? noKey],
              ['Nascimento', data.nascimento ? formatDay(data.nascimento) : noKey],
              ['Endereço', data.endereco ?? noKey],
              ['CEP', data.cep ?? noKey],
            ]}
          />
        ) : (
          <DescriptionList items={[['CPF', masked]]} />
        )}
      </div>
      {error && (
        <p role="alert" className="error">
          {errorMessage(error, 'Não foi possível revelar os dados.')}
        </p>
      )}
      <button type="button" className="button small" disabled={isPending} onClick={() => (data ? reset() : mutate())}>
        {data ? 'Ocultar' : 'Revelar'}
      </button>
      <p className="faint">Cada consulta fica registrada. Os dados somem da tela em um minuto.</p>
    </section>
  )
}
