// A campaign at a glance: what the public sees, who has confirmed, how fast it grows, and what comes next.
import { isFirstHour, type Numbers } from '#contract/admin/numbers.ts'
import { counted, inWords, share, withDecimal } from '#web/admin/ui/amounts.ts'
import { momentInWords } from '#web/admin/ui/moments.ts'

const dateFormat = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'long', timeZone: 'America/Sao_Paulo' })

export function Summary({ campaign, signatures, pace, milestone, counted: count }: Numbers) {
  const { next, missing, projected } = milestone
  return (
    <dl className="tiles">
      <div className="panel">
        <dt>Contador público</dt>
        <dd>
          <strong>{inWords(campaign.baseCount + signatures)}</strong>
          {inWords(campaign.baseCount)} de base + {counted(signatures, 'assinatura', 'assinaturas')} aqui
        </dd>
      </div>
      <div className="panel">
        <dt>Confirmadas por e-mail</dt>
        <dd>
          {count === null ? (
            'Contando...'
          ) : (
            <>
              <strong>{share(count.confirmed, count.signatures)}</strong>
              {inWords(count.confirmed)} de {inWords(count.signatures)}, em {momentInWords(count.at)}
            </>
          )}
        </dd>
      </div>
      <div className="panel">
        {isFirstHour(pace) ? (
          <>
            <dt>Ritmo</dt>
            <dd>
              <strong>{inWords(pace.open)}</strong>
              nesta hora. Com a primeira hora cheia, o ritmo aparece aqui.
            </dd>
          </>
        ) : (
          <>
            <dt>Ritmo, em horas cheias</dt>
            <dd>
              <strong>{inWords(pace.hour)}</strong>
              na última hora · {inWords(pace.day)} em 24 horas · {inWords(pace.week)} em 7 dias
              <b className="tile-more">Mais {inWords(pace.open)} na hora em curso</b>
            </dd>
          </>
        )}
      </div>
      <div className="panel">
        <dt>Próximo marco: {inWords(next)}</dt>
        <dd>
          {projected ? (
            <>
              <strong>{dateFormat.format(new Date(projected.at))}</strong>
              se as {inWords(missing)} que faltam vierem no ritmo{' '}
              {projected.hours === 24
                ? 'das últimas 24 horas'
                : `de ${counted(projected.hours, 'hora', 'horas')} desde o início`}{' '}
              ({withDecimal(projected.perHour)} por hora)
            </>
          ) : pace.day > 0 ? (
            `Faltam ${inWords(missing)}. No ritmo de agora, levaria mais de dez anos.`
          ) : pace.open > 0 ? (
            `Faltam ${inWords(missing)}. A previsão vem quando a hora em curso terminar.`
          ) : (
            `Faltam ${inWords(missing)}. Sem assinaturas nas últimas 24 horas cheias, não há previsão.`
          )}
        </dd>
      </div>
    </dl>
  )
}
