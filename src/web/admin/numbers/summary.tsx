// Key figures of a campaign: public counter, confirmations, pace and next milestone.
import { isFirstHour, type Numbers } from '#contract/admin/numbers.ts'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { formatDecimal, formatNumber, formatPercent, pluralize } from '#web/admin/ui/format-number.ts'

const dateFormat = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'long', timeZone: 'America/Sao_Paulo' })

export function Summary({ campaign, signatures, pace, milestone, counted: count }: Numbers) {
  const { next, missing, projected } = milestone
  const isConfirmedOnly = campaign.countingMode === 'confirmed'
  const publicCount = isConfirmedOnly ? campaign.publicCount : campaign.baseCount + signatures
  return (
    <dl className="tiles">
      <div className="panel">
        <dt>Contador público</dt>
        <dd>
          <strong>{formatNumber(publicCount)}</strong>
          {isConfirmedOnly
            ? `${formatNumber(campaign.baseCount)} de base + ${pluralize(publicCount - campaign.baseCount, 'confirmada', 'confirmadas')}, de ${pluralize(signatures, 'assinatura', 'assinaturas')} aqui`
            : `${formatNumber(campaign.baseCount)} de base + ${pluralize(signatures, 'assinatura', 'assinaturas')} aqui`}
        </dd>
      </div>
      <div className="panel">
        <dt>Confirmadas por e-mail</dt>
        <dd>
          {count === null ? (
            'Contando...'
          ) : (
            <>
              <strong>{formatPercent(count.confirmed, count.signatures)}</strong>
              {formatNumber(count.confirmed)} de {formatNumber(count.signatures)}, em {formatDateTime(count.at)}
            </>
          )}
        </dd>
      </div>
      <div className="panel">
        {isFirstHour(pace) ? (
          <>
            <dt>Ritmo</dt>
            <dd>
              <strong>{formatNumber(pace.open)}</strong>
              nesta hora. Com a primeira hora cheia, o ritmo aparece aqui.
            </dd>
          </>
        ) : (
          <>
            <dt>Ritmo, em horas cheias</dt>
            <dd>
              <strong>{formatNumber(pace.hour)}</strong>
              na última hora · {formatNumber(pace.day)} em 24 horas · {formatNumber(pace.week)} em 7 dias
              <b className="tile-more">Mais {formatNumber(pace.open)} na hora em curso</b>
            </dd>
          </>
        )}
      </div>
      <div className="panel">
        <dt>Próximo marco: {formatNumber(next)}</dt>
        <dd>
          {projected ? (
            <>
              <strong>{dateFormat.format(new Date(projected.at))}</strong>
              se as {formatNumber(missing)} que faltam vierem no ritmo{' '}
              {projected.hours === 24
                ? 'das últimas 24 horas'
                : `de ${pluralize(projected.hours, 'hora', 'horas')} desde o início`}{' '}
              ({formatDecimal(projected.perHour)} por hora)
            </>
          ) : isConfirmedOnly ? (
            `Faltam ${formatNumber(missing)} confirmações. Aqui só contam as confirmadas, por isso não há previsão.`
          ) : pace.day > 0 ? (
            `Faltam ${formatNumber(missing)}. No ritmo de agora, levaria mais de dez anos.`
          ) : pace.open > 0 ? (
            `Faltam ${formatNumber(missing)}. A previsão vem quando a hora em curso terminar.`
          ) : (
            `Faltam ${formatNumber(missing)}. Sem assinaturas nas últimas 24 horas cheias, não há previsão.`
          )}
        </dd>
      </div>
    </dl>
  )
}
