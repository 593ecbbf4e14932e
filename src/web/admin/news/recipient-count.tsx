// The counted recipients of a news item, and why the others get no e-mail.
import { useQuery } from '@tanstack/react-query'
import {
  countIsFreshMinutes,
  countRecipients,
  exclusionReasons,
  type SendProgress,
  type StoredNews,
} from '#contract/admin/news.ts'
import { callAdmin } from '#web/admin/api/client.ts'
import { sendQuery } from '#web/admin/news/news-queries.ts'
import { useNewsChange } from '#web/admin/news/use-news-change.ts'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { formatNumber, formatPercent, pluralize } from '#web/admin/ui/format-number.ts'

/** The count is complete, for the segment that is stored now, and so new that publishing does not repeat it. */
export const isCounted = (send: SendProgress | null, now: number) =>
  send !== null &&
  send.status !== 'preparing' &&
  !send.desatualizada &&
  send.contadosEm !== null &&
  now - Date.parse(send.contadosEm) < countIsFreshMinutes * 60_000

interface RecipientCountProps {
  send: SendProgress
  /** The form has other values than those that were counted. */
  isOutdated?: boolean
}

export function RecipientCount({ send, isOutdated = false }: RecipientCountProps) {
  if (send.status === 'preparing') return <CountProgress send={send} />
  const { destinatarios, contadosEm, desatualizada } = send
  return (
    <div className="recipient-count">
      <p role="status" className="recipient-total">
        <strong>{formatNumber(destinatarios)}</strong>{' '}
        {destinatarios === 1 ? 'pessoa recebe o e-mail' : 'pessoas recebem o e-mail'}
      </p>
      {(isOutdated || desatualizada) && (
        <p className="notice">A seleção mudou depois desta contagem. Conte de novo para ver o número certo.</p>
      )}
      <Exclusions send={send} />
      {contadosEm && <p className="faint">Contado em {formatDateTime(contadosEm)}.</p>}
    </div>
  )
}

function CountProgress({ send: { lidos, aLer } }: RecipientCountProps) {
  const all = Math.max(lidos, aLer)
  return (
    <div className="news-progress">
      <progress aria-label="Contagem de destinatários" max={Math.max(all, 1)} value={lidos} />
      <p role="status">Contando destinatários...</p>
      <p aria-hidden="true">
        {formatNumber(lidos)} de cerca de {formatNumber(all)} cadastros
        {all > 0 && ` (${formatPercent(lidos, all)})`}
      </p>
    </div>
  )
}

export function Exclusions({ send: { excluidos } }: RecipientCountProps) {
  const reasons = Object.entries(exclusionReasons).filter(([reason]) => (excluidos[reason] ?? 0) > 0)
  if (reasons.length === 0) return null
  const total = reasons.reduce((sum, [reason]) => sum + (excluidos[reason] ?? 0), 0)
  return (
    <>
      <p>{pluralize(total, 'cadastro da seleção fica de fora', 'cadastros da seleção ficam de fora')}:</p>
      <ul className="exclusions">
        {reasons.map(([reason, text]) => (
          <li key={reason}>
            {text}: <strong>{formatNumber(excluidos[reason] ?? 0)}</strong>
          </li>
        ))}
      </ul>
    </>
  )
}

interface CountPanelProps {
  news: StoredNews
  /** The segment of the form is not stored yet. */
  isSegmentUnsaved: boolean
  isUnsaved: boolean
  /** Saves the form if needed, then runs the action. */
  afterSaving(action: () => void): void
}

/** Part of the form: counts on request. */
export function CountPanel({ news, isSegmentUnsaved, isUnsaved, afterSaving }: CountPanelProps) {
  const { data } = useQuery(sendQuery(news))
  const send = data?.envio ?? null
  const { count, problem } = useCount(news)
  const isCounting = count.isPending || send?.status === 'preparing'
  return (
    <div className="count-panel">
      <button
        type="button"
        className="button"
        // Not disabled, which would lose the focus.
        aria-disabled={isCounting || undefined}
        onClick={() => !isCounting && afterSaving(() => count.mutate())}
      >
        {isUnsaved ? 'Salvar e contar destinatários' : send ? 'Contar de novo' : 'Contar destinatários'}
      </button>
      <p role="alert" className="error">
        {problem}
      </p>
      {send && <RecipientCount send={send} isOutdated={isSegmentUnsaved} />}
    </div>
  )
}

export function useCount({ id }: Pick<StoredNews, 'id'>) {
  const send = () => callAdmin(countRecipients, { params: { id: String(id) } })
  const { change, problem } = useNewsChange(id, send, { isQuiet: true })
  return { count: change, problem }
}
