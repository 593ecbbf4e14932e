// Publishes a draft now, or at a scheduled time.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { publishNews, type StoredNews, scheduleNews, unscheduleNews } from '#contract/admin/news.ts'
import { callAdmin } from '#web/admin/api/client.ts'
import { sendQuery } from '#web/admin/news/news-queries.ts'
import { isCounted, RecipientCount, useCount } from '#web/admin/news/recipient-count.tsx'
import { useNewsChange } from '#web/admin/news/use-news-change.ts'
import { useIsCoordinator } from '#web/admin/session/session.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { formatMinute } from '#web/admin/ui/format-minute.ts'
import { pluralize } from '#web/admin/ui/format-number.ts'
import { CalendarIcon, SendIcon } from '#web/admin/ui/icons.tsx'
import { useFocusAfterRemoval } from '#web/admin/ui/use-focus-after-removal.ts'
import '#web/forms/fields/field.css'

interface PublishPanelProps {
  news: StoredNews
  isUnsaved: boolean
  /** Saves the form if needed, then runs the action. */
  afterSaving(action: () => void): void
}

export function PublishPanel({ news, isUnsaved, afterSaving }: PublishPanelProps) {
  const { id, agendadaPara, naPagina, porEmail } = news
  const isCoordinator = useIsCoordinator()
  const [isPublishing, setPublishing] = useState(false)
  const [isScheduling, setScheduling] = useState(false)
  const heading = useFocusAfterRemoval<HTMLHeadingElement>(agendadaPara)
  const unschedule = useNewsChange(id, () => callAdmin(unscheduleNews, { params: { id: String(id) } }))
  const places = [naPagina && 'na página da campanha', porEmail && 'por e-mail'].filter(Boolean).join(' e ')
  return (
    <section className="panel news-publish" aria-labelledby="secao-publicar">
      <h2 id="secao-publicar" tabIndex={-1} ref={heading}>
        Publicar
      </h2>
      {agendadaPara ? (
        <p className="notice">
          Será publicada {places} em <strong>{formatMinute(agendadaPara)}</strong>, horário de Brasília, mesmo com esta
          página fechada.
        </p>
      ) : (
        <p className="faint">
          Sai {places}. Antes, veja a prévia{isCoordinator && ' e envie um teste para você'}.
        </p>
      )}
      <div className="actions">
        <button type="button" className="button" onClick={() => afterSaving(() => setPublishing(true))}>
          <SendIcon size={18} />
          {isUnsaved ? 'Salvar e publicar agora' : 'Publicar agora'}
        </button>
        <button type="button" className="button" onClick={() => afterSaving(() => setScheduling(true))}>
          <CalendarIcon size={18} />
          {isUnsaved ? 'Salvar e agendar' : agendadaPara ? 'Mudar o horário' : 'Agendar'}
        </button>
        {agendadaPara && (
          <button
            type="button"
            className="button"
            aria-disabled={unschedule.change.isPending || undefined}
            onClick={() => !unschedule.change.isPending && unschedule.change.mutate()}
          >
            Cancelar agendamento
          </button>
        )}
      </div>
      <p role="alert" className="error">
        {unschedule.problem}
      </p>
      {isPublishing && <PublishDialog news={news} onClose={() => setPublishing(false)} />}
      {isScheduling && <ScheduleDialog news={news} onClose={() => setScheduling(false)} />}
    </section>
  )
}

interface DialogProps {
  news: StoredNews
  onClose(): void
}

/** Says where the news item is published. For e-mail it counts the recipients first. */
function PublishDialog({ news, onClose }: DialogProps) {
  const { id, revisao, campanha, naPagina, porEmail } = news
  const { data } = useQuery(sendQuery(news))
  const send = data?.envio ?? null
  const { count, problem: countProblem } = useCount(news)
  /** How much the clock of the browser is ahead of the server's, as far as a count of this dialog shows it. */
  const [aheadMs, setAheadMs] = useState(0)
  const isReadyNow = () => !porEmail || isCounted(send, Date.now() - aheadMs)
  const isReady = isReadyNow()
  const hasStarted = useRef(false)
  const { change, problem } = useNewsChange(id, () =>
    callAdmin(publishNews, { params: { id: String(id) }, body: { revisao } }),
  )

  const start = count.mutate
  useEffect(() => {
    if (isReady || hasStarted.current || send?.status === 'preparing') return
    hasStarted.current = true
    start()
  }, [isReady, send?.status, start])

  // Otherwise a wrong clock would make every count look old.
  const countedAt = count.isSuccess ? send?.contadosEm : undefined
  useEffect(() => {
    if (countedAt) setAheadMs(Date.now() - Date.parse(countedAt))
  }, [countedAt])

  const total = send?.destinatarios ?? 0
  return (
    <Dialog title="Publicar agora" locked={change.isPending} onClose={onClose}>
      <p>
        <strong>{news.titulo}</strong>
      </p>
      <ul className="publish-places">
        {naPagina && <li>Entra na página da campanha “{campanha.titulo}” agora mesmo.</li>}
        {porEmail && (
          <li>
            {isReady
              ? `Vai por e-mail para ${pluralize(total, 'pessoa', 'pessoas')}. Dá para pausar o envio.`
              : 'Vai por e-mail. Estamos contando para quantas pessoas.'}
          </li>
        )}
      </ul>
      {porEmail && send && (count.isPending || !countProblem) && <RecipientCount send={send} />}
      {porEmail && isReady && total === 0 && (
        <p className="notice">Ninguém desta seleção pode receber o e-mail. Confira os destinatários.</p>
      )}
      <p role="alert" className="error">
        {problem || countProblem}
      </p>
      <div className="actions">
        <button type="button" className="button" disabled={change.isPending} onClick={onClose}>
          Voltar
        </button>
        {countProblem && !isReady && (
          <button type="button" className="button" onClick={() => start()}>
            Contar de novo
          </button>
        )}
        <button
          type="button"
          className="button button-yellow"
          disabled={!isReady || change.isPending}
          // The count may have become old while the dialog was open. A published news item has no such dialog.
          onClick={() => (isReadyNow() ? change.mutate() : start())}
        >
          {porEmail && isReady && total > 0
            ? `Publicar e enviar para ${pluralize(total, 'pessoa', 'pessoas')}`
            : 'Publicar'}
        </button>
      </div>
    </Dialog>
  )
}

function ScheduleDialog({ news, onClose }: DialogProps) {
  const { id, revisao, agendadaPara, porEmail } = news
  const field = useRef<HTMLInputElement>(null)
  const { change, problem } = useNewsChange(id, (quando: string) =>
    callAdmin(scheduleNews, { params: { id: String(id) }, body: { revisao, quando } }),
  )
  return (
    <Dialog title="Agendar publicação" locked={change.isPending} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (change.isPending) return
          change.mutate(field.current?.value ?? '', { onSuccess: onClose, onError: () => field.current?.focus() })
        }}
      >
        <div className="field">
          <label htmlFor="quando">Dia e hora, no horário de Brasília</label>
          <input
            ref={field}
            id="quando"
            type="datetime-local"
            defaultValue={agendadaPara ?? ''}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? 'quando-erro' : undefined}
          />
          <p role="alert" id="quando-erro" className="error">
            {problem}
          </p>
        </div>
        {porEmail && (
          <p className="faint">Os destinatários são contados de novo na hora de publicar: quem chegar até lá entra.</p>
        )}
        <div className="actions">
          <button type="button" className="button" disabled={change.isPending} onClick={onClose}>
            Voltar
          </button>
          <button type="submit" className="button button-yellow" aria-disabled={change.isPending || undefined}>
            Agendar
          </button>
        </div>
      </form>
    </Dialog>
  )
}
