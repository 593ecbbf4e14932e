import { useQuery } from '@tanstack/react-query'
import { conversationStatsQuery } from '#web/admin/conversations/conversation-queries.ts'
import { formatNumber } from '#web/admin/ui/format-number.ts'

const names = { total: 'Total', hoje: 'Novas hoje', comEmail: 'Com e-mail', comWhatsApp: 'Com WhatsApp' } as const

export function ConversationStats() {
  const { data, error } = useQuery(conversationStatsQuery)
  return (
    <>
      <dl className="conversation-stats">
        {Object.entries(names).map(([name, label]) => (
          <div key={name} className="panel">
            <dt>{label}</dt>
            <dd>{data ? formatNumber(data[name as keyof typeof names]) : '–'}</dd>
          </div>
        ))}
      </dl>
      {error && <p className="faint">Não foi possível atualizar os números. Tentamos de novo em meio minuto.</p>}
    </>
  )
}
