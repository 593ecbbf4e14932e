// Overview of all campaigns in numbers.
import { Link } from 'react-router'
import { type CampaignNumbers, isFirstHour, listNumbers } from '#contract/admin/numbers.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import { fillPath } from '#contract/endpoint.ts'
import { LinkBuilderPanel } from '#web/admin/links/link-builder.tsx'
import { campaignTarget, sitePages } from '#web/admin/links/link-targets.ts'
import { ByOrigin } from '#web/admin/numbers/by-origin.tsx'
import { formatNumber } from '#web/admin/ui/format-number.ts'
import { Page } from '#web/admin/ui/page.tsx'
import { EmptyState, QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { Table } from '#web/admin/ui/table.tsx'
import { usePolledQuery } from '#web/admin/ui/use-polled-query.ts'
import './numbers.css'
import './numbers-page.css'

const formatFullHours = (pace: CampaignNumbers['pace'], span: 'hour' | 'day' | 'week') =>
  isFirstHour(pace) ? '–' : formatNumber(pace[span])

export function NumbersPage() {
  const numbers = usePolledQuery(listNumbers)
  return (
    <Page
      title="Números"
      intro="Cada campanha por hora, dia, estado, cidade e origem. 24 horas e 7 dias são de horas cheias, sem a que está em curso. Renova a cada 30 segundos."
    >
      <QueryBoundary query={numbers}>
        {({ campaigns }) =>
          campaigns.length === 0 ? (
            <EmptyState>Ainda não há campanhas.</EmptyState>
          ) : (
            <div className="numbers">
              <Table
                caption="Campanhas em números"
                rows={campaigns}
                keyOf={({ slug }) => slug}
                columns={[
                  {
                    title: 'Campanha',
                    cell: ({ slug, titulo, isActive }) => (
                      <span>
                        <Link className="row-link" to={fillPath(adminPaths.campaignNumbers, { slug })}>
                          {titulo}
                        </Link>{' '}
                        {!isActive && <span className="badge badge-bad">Desativada</span>}
                      </span>
                    ),
                  },
                  {
                    title: 'Contador público',
                    numeric: true,
                    cell: ({ publicCount }) => <strong>{formatNumber(publicCount)}</strong>,
                  },
                  { title: '24 horas', numeric: true, cell: ({ pace }) => formatFullHours(pace, 'day') },
                  { title: 'Nesta hora', numeric: true, cell: ({ pace }) => formatNumber(pace.open) },
                  { title: 'Hora anterior', numeric: true, cell: ({ pace }) => formatFullHours(pace, 'hour') },
                  { title: '7 dias', numeric: true, cell: ({ pace }) => formatFullHours(pace, 'week') },
                  { title: 'Assinaturas', numeric: true, cell: ({ signatures }) => formatNumber(signatures) },
                  { title: 'Base', numeric: true, cell: ({ baseCount }) => formatNumber(baseCount) },
                ]}
              />
              <ByOrigin />
              <LinkBuilderPanel
                targets={[...sitePages, ...campaigns.filter(({ isActive }) => isActive).map(campaignTarget)]}
              />
            </div>
          )
        }
      </QueryBoundary>
    </Page>
  )
}
