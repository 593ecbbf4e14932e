// All news items, the latest first: status, destinations, progress of the e-mails.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type NewsSummary, sendStatuses } from '#contract/admin/news.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import { fillPath } from '#contract/endpoint.ts'
import { newsListQuery } from '#web/admin/news/news-queries.ts'
import { NewsStatusBadge } from '#web/admin/news/news-status-badge.tsx'
import { finished } from '#web/admin/news/send-panel.tsx'
import { CursorPager, ListEnd, useFirstPage } from '#web/admin/ui/cursor-pager.tsx'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { formatMinute } from '#web/admin/ui/format-minute.ts'
import { formatNumber } from '#web/admin/ui/format-number.ts'
import { EmailIcon, NewsIcon, SiteIcon } from '#web/admin/ui/icons.tsx'
import { Page } from '#web/admin/ui/page.tsx'
import { EmptyState, QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { type Column, Table } from '#web/admin/ui/table.tsx'
import { useUrlFilters } from '#web/admin/ui/use-url-filters.ts'
import './news.css'

const columns: Column<NewsSummary>[] = [
  {
    title: 'Novidade',
    cell: ({ id, titulo, campanha }) => (
      <div>
        <Link className="news-name" to={fillPath(adminPaths.newsItem, { id: String(id) })}>
          {titulo}
        </Link>
        <span className="faint">{campanha.titulo}</span>
      </div>
    ),
  },
  {
    title: 'Situação',
    cell: ({ status, agendadaPara }) => (
      <div>
        <NewsStatusBadge status={status} />
        {agendadaPara && <div className="faint">sai em {formatMinute(agendadaPara)}</div>}
      </div>
    ),
  },
  { title: 'Onde', cell: (news) => <Destinations {...news} /> },
  { title: 'Envio', cell: ({ envio, status }) => <SendCell envio={envio} status={status} /> },
  {
    title: 'Quando',
    cell: ({ publicadaEm, alteradaEm, autor }) => (
      <div>
        {publicadaEm ? formatDateTime(publicadaEm) : `mudou em ${formatDateTime(alteradaEm)}`}
        <div className="faint">por {autor}</div>
      </div>
    ),
  },
]

function Destinations({ naPagina, porEmail }: NewsSummary) {
  return (
    <ul className="destinations">
      {naPagina && (
        <li>
          <SiteIcon size={18} /> página
        </li>
      )}
      {porEmail && (
        <li>
          <EmailIcon size={18} /> e-mail
        </li>
      )}
      {!naPagina && !porEmail && <li className="faint">fora da página</li>}
    </ul>
  )
}

function SendCell({ envio, status }: Pick<NewsSummary, 'envio' | 'status'>) {
  if (!envio || (status !== 'published' && envio.status !== 'preparing')) return <span className="faint">–</span>
  const { destinatarios, aceitos } = envio
  const isUnderway = envio.status === 'sending' || envio.status === 'paused'
  return (
    <div>
      {sendStatuses[envio.status]}
      {isUnderway && (
        <progress
          className="send-bar"
          aria-label="Andamento do envio"
          max={Math.max(destinatarios, 1)}
          value={finished(envio)}
        />
      )}
      {envio.status !== 'preparing' && (
        <div className="faint">
          {formatNumber(aceitos)} de {formatNumber(destinatarios)} aceitos
        </div>
      )}
    </div>
  )
}

const writeLink = (
  <Link className="button button-yellow" to={adminPaths.newNews}>
    Escrever novidade
  </Link>
)

export function NewsPage() {
  const { cursor, change } = useUrlFilters<never>([])
  const list = useQuery(newsListQuery(cursor))
  const goToFirstPage = () => change({}, { replace: true })
  useFirstPage(cursor.depois !== '' && !list.isPlaceholderData && list.data?.depois === null, goToFirstPage)
  const isEmpty = list.data?.novidades.length === 0 && !cursor.antes && !cursor.depois
  return (
    <Page
      title="Novidades"
      intro="O que aconteceu nas campanhas, para quem assinou e para quem visita a página."
      actions={!isEmpty && writeLink}
    >
      <QueryBoundary query={list}>
        {({ novidades, antes, depois }) =>
          novidades.length > 0 ? (
            <div aria-busy={list.isPlaceholderData || undefined}>
              <Table caption="Novidades" columns={columns} rows={novidades} keyOf={({ id }) => id} />
              <CursorPager
                hasNewer={depois !== null}
                hasOlder={antes !== null}
                onNewer={() => change({ depois: depois ?? '' })}
                onOlder={() => change({ antes: antes ?? '' })}
              />
            </div>
          ) : isEmpty ? (
            <EmptyState icon={NewsIcon} action={writeLink}>
              <p>
                Nenhuma novidade ainda. Uma novidade conta o que aconteceu numa campanha: a entrega das assinaturas, uma
                votação, o próximo passo. Ela sai na página da campanha, vai por e-mail a quem aceitou receber, ou os
                dois.
              </p>
            </EmptyState>
          ) : (
            <EmptyState>
              <ListEnd onStart={goToFirstPage} />
            </EmptyState>
          )
        }
      </QueryBoundary>
    </Page>
  )
}
