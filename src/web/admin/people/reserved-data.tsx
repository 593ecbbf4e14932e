// What is kept of leaders and shown on request alone: each look is on record, and ends by itself.
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { adminMessages } from '#contract/admin/messages.ts'
import { revealLeader } from '#contract/admin/people.ts'
import { callAdmin, sentenceOf } from '#web/admin/api.ts'
import { dayInWords } from '#web/admin/people/words.ts'
import { Facts } from '#web/admin/ui/facts.tsx'

const shownForMs = 60_000

export function ReservedData({ id, masked }: { id: string; masked: string }) {
  // Nothing of it is kept for the next to look.
  const revealing = useMutation({ mutationFn: () => callAdmin(revealLeader, { params: { id } }), gcTime: 0 })
  const { data, error, isPending, mutate, reset } = revealing

  useEffect(() => {
    if (!data) return
    const timer = setTimeout(reset, shownForMs)
    return () => clearTimeout(timer)
  }, [data, reset])

  return (
    <section aria-labelledby="reservados">
      <h3 id="reservados">Dados reservados</h3>
      <div role="status">
        {data ? (
          <Facts
            facts={[
              ['CPF', data.cpf ?? adminMessages.people.noKey],
              ['Nascimento', dayInWords(data.nascimento)],
              ['Endereço', data.endereco],
              ['CEP', data.cep],
            ]}
          />
        ) : (
          <Facts facts={[['CPF', masked]]} />
        )}
      </div>
      {error && (
        <p role="alert" className="error">
          {sentenceOf(error, 'Não foi possível revelar os dados.')}
        </p>
      )}
      <button type="button" className="button small" disabled={isPending} onClick={() => (data ? reset() : mutate())}>
        {data ? 'Ocultar' : 'Revelar'}
      </button>
      <p className="faint">Cada consulta fica registrada. Os dados somem da tela em um minuto.</p>
    </section>
  )
}
