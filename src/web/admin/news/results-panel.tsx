// What a news item led to, without tracking anybody.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { readNewsResults, type StoredNews } from '#contract/admin/news.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import { kindLabels, peopleKinds } from '#contract/admin/people.ts'
import { sendQuery } from '#web/admin/news/news-queries.ts'
import { useIsCoordinator } from '#web/admin/session/session.ts'
import { formatNumber } from '#web/admin/ui/format-number.ts'
import { QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { usePolledQuery } from '#web/admin/ui/use-polled-query.ts'

export function ResultsPanel({ news }: { news: StoredNews }) {
  const results = usePolledQuery(readNewsResults, { params: { id: String(news.id) } })
  const { data } = useQuery(sendQuery(news))
  const send = data?.envio
  const isCoordinator = useIsCoordinator()
  return (
    <section className="panel news-section" aria-labelledby="secao-resultados">
      <h2 id="secao-resultados">Resultados</h2>
      {send && (
        <>
          <h3>E-mail</h3>
          <dl className="news-figures">
            <Figure label="Aceitos pelo servidor" value={send.aceitos} />
            <Figure label="Recusados" value={send.recusados} />
            <Figure label="Saíram das novidades" value={send.descadastros} />
          </dl>
          {send.recusados > 0 && isCoordinator && (
            <p>
              <Link to={adminPaths.suppressions}>Ver os endereços suspensos</Link>
            </p>
          )}
        </>
      )}
      <h3>Pelos links desta novidade</h3>
      <QueryBoundary query={results} rows={1}>
        {({ porTipo }) => (
          <dl className="news-figures">
            {peopleKinds
              .filter((kind) => kind === 'assinaturas' || kind === 'voluntarios' || porTipo[kind] > 0)
              .map((kind) => (
                <Figure key={kind} label={kindLabels[kind].list} value={porTipo[kind]} />
              ))}
          </dl>
        )}
      </QueryBoundary>
      <p className="faint">
        Ninguém é rastreado: não há como saber quem abriu ou clicou. Contamos só as assinaturas e os cadastros que
        chegaram pelos links desta novidade.
      </p>
    </section>
  )
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{formatNumber(value)}</dd>
    </div>
  )
}
