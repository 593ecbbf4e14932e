// Progress of the e-mails of a news item: pause, resume, cancel.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import {
  cancelSend,
  pauseSend,
  resumeSend,
  type SendProgress,
  type StoredNews,
  sendStatuses,
} from '#contract/admin/news.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import { callAdmin } from '#web/admin/api/client.ts'
import { sendQuery } from '#web/admin/news/news-queries.ts'
import { Exclusions, RecipientCount } from '#web/admin/news/recipient-count.tsx'
import { remainingTime } from '#web/admin/news/remaining-time.ts'
import { useNewsChange } from '#web/admin/news/use-news-change.ts'
import { Confirmation } from '#web/admin/ui/dialog.tsx'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { formatNumber, pluralize } from '#web/admin/ui/format-number.ts'
import { Failure } from '#web/admin/ui/query-boundary.tsx'
import { useFocusAfterRemoval } from '#web/admin/ui/use-focus-after-removal.ts'

/** E-mails that need no further attempt. */
export const finished = ({ aceitos, recusados, dispensados, parados }: SendProgress) =>
  aceitos + recusados + dispensados + parados

export function SendPanel({ news }: { news: StoredNews }) {
  const { data, error, refetch } = useQuery(sendQuery(news))
  const send = data?.envio
  const heading = useFocusAfterRemoval<HTMLHeadingElement>(send?.status)
  return (
    <section className="panel news-section" aria-labelledby="secao-envio">
      <h2 id="secao-envio" tabIndex={-1} ref={heading}>
        Envio por e-mail
      </h2>
      {error && <Failure onRetry={() => void refetch()}>Não foi possível ver como está o envio.</Failure>}
      {!send && <p>O envio ainda não começou.</p>}
      {send?.status === 'preparing' && <RecipientCount send={send} />}
      {send && send.status !== 'preparing' && <Sending send={send} />}
      {send && <SendActions news={news} send={send} />}
    </section>
  )
}

function Sending({ send }: { send: SendProgress }) {
  const { status, destinatarios, aceitos, comecouEm, terminouEm } = send
  return (
    <>
      <div className="news-progress">
        <progress aria-label="Andamento do envio" max={Math.max(destinatarios, 1)} value={finished(send)} />
        <p>
          <strong>{status === 'prepared' ? 'Começando o envio' : sendStatuses[status]}</strong>
          {': '}
          {formatNumber(aceitos)} de {pluralize(destinatarios, 'e-mail aceito', 'e-mails aceitos')} pelo servidor
        </p>
        <p>{remainingTime(send)}</p>
      </div>
      {/* Only changes of the state are announced: numbers every two seconds would be noise. */}
      <p className="hidden" role="status">
        Envio: {sendStatuses[status]}
      </p>
      {send.motivoPausa && <p className="notice">{send.motivoPausa}</p>}
      <SendNumbers send={send} />
      <details className="send-exclusions">
        <summary>Quem ficou de fora</summary>
        <Exclusions send={send} />
        {Object.values(send.excluidos).every((count) => count === 0) && <p>Ninguém da seleção ficou de fora.</p>}
      </details>
      <p className="faint">
        {comecouEm && `Começou em ${formatDateTime(comecouEm)}. `}
        {terminouEm && `Terminou em ${formatDateTime(terminouEm)}.`}
      </p>
    </>
  )
}

function SendNumbers({ send }: { send: SendProgress }) {
  const { aceitos, recusados, dispensados, parados, adiados } = send
  const rows: [label: string, value: number, note?: string][] = [
    ['Aceitos', aceitos, 'o servidor de e-mail recebeu'],
    ['Recusados', recusados, 'o endereço não existe ou não aceita'],
    ['Dispensados', dispensados, 'saíram das novidades antes da vez'],
    ['Adiados', adiados, 'esperam até amanhã, pelo limite diário por endereço'],
  ]
  return (
    <dl className="send-numbers">
      {rows
        .filter(([label, value]) => value > 0 || label === 'Aceitos' || label === 'Recusados')
        .map(([label, value, note]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <strong>{formatNumber(value)}</strong> <span className="faint">{note}</span>
            </dd>
          </div>
        ))}
      {parados > 0 && (
        <div>
          <dt>Parados</dt>
          <dd>
            <strong>{formatNumber(parados)}</strong>{' '}
            <span className="faint">o servidor de e-mail falhou várias vezes.</span>{' '}
            <Link to={adminPaths.system}>Ver em Sistema</Link>
          </dd>
        </div>
      )}
    </dl>
  )
}

function SendActions({
  news: { id },
  send: { status, destinatarios, ...send },
}: {
  news: StoredNews
  send: SendProgress
}) {
  const [isConfirming, setConfirming] = useState(false)
  const params = { id: String(id) }
  const pause = useNewsChange(id, () => callAdmin(pauseSend, { params }))
  const resume = useNewsChange(id, () => callAdmin(resumeSend, { params }))
  const cancel = useNewsChange(id, () => callAdmin(cancelSend, { params }))
  const isBusy = pause.change.isPending || resume.change.isPending || cancel.change.isPending
  if (status === 'done' || status === 'cancelled') return null
  const left = destinatarios - finished({ status, destinatarios, ...send })
  return (
    <>
      <div className="actions">
        {status === 'paused' && (
          <button
            type="button"
            className="button"
            aria-disabled={isBusy || undefined}
            onClick={() => !isBusy && resume.change.mutate()}
          >
            Retomar envio
          </button>
        )}
        {status === 'sending' && (
          <button
            type="button"
            className="button"
            aria-disabled={isBusy || undefined}
            onClick={() => !isBusy && pause.change.mutate()}
          >
            Pausar envio
          </button>
        )}
        <button type="button" className="button" onClick={() => setConfirming(true)}>
          Cancelar envio
        </button>
      </div>
      <p role="alert" className="error">
        {pause.problem || resume.problem}
      </p>
      {isConfirming && (
        <Confirmation
          title="Cancelar o envio"
          question={
            status === 'preparing'
              ? 'Ninguém recebe este e-mail. Um envio cancelado não pode ser retomado.'
              : `${pluralize(left, 'pessoa deixa', 'pessoas deixam')} de receber. O que já saiu não volta, e um envio cancelado não pode ser retomado.`
          }
          action="Cancelar envio"
          busy={cancel.change.isPending}
          problem={cancel.problem}
          onConfirm={() => cancel.change.mutate(undefined, { onSuccess: () => setConfirming(false) })}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  )
}
