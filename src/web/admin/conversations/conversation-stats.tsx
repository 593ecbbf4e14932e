// How many conversations there are, asked again every half minute while the page is open.

import { useQuery } from '@tanstack/react-query'
import { readConversationStats } from '#contract/admin/conversations.ts'
import { callAdmin } from '#web/admin/api.ts'
import { inWords } from '#web/admin/ui/amounts.ts'

const names = { total: 'Total', hoje: 'Novas hoje', comEmail: 'Com e-mail', comWhatsApp: 'Com WhatsApp' } as const

export function ConversationStats() {
  const { data, error } = useQuery({
    queryKey: ['conversas', 'numeros'],
    queryFn: () => callAdmin(readConversationStats, { alone: true }),
    refetchInterval: 30_000,
  })
  return (
    <>
      <dl className="figures">
        {Object.entries(names).map(([name, words]) => (
          <div key={name} className="panel">
            <dt>{words}</dt>
            <dd>{data ? inWords(data[name as keyof typeof names]) : '–'}</dd>
          </div>
        ))}
      </dl>
      {error && <p className="faint">Não foi possível atualizar os números. Tentamos de novo em meio minuto.</p>}
    </>
  )
}
