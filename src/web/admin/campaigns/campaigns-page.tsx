// All campaigns: status, signatures and last change.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { CampaignSummary } from '#contract/admin/campaigns.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import { fillPath } from '#contract/endpoint.ts'
import { Activation } from '#web/admin/campaigns/activation.tsx'
import { campaignListQuery } from '#web/admin/campaigns/campaign-queries.ts'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { formatNumber } from '#web/admin/ui/format-number.ts'
import { Page } from '#web/admin/ui/page.tsx'
import { EmptyState, QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { type Column, Table } from '#web/admin/ui/table.tsx'
import './campaigns.css'

const columns: Column<CampaignSummary>[] = [
  {
    title: 'Campanha',
    cell: ({ id, titulo, path }) => (
      <div>
        <Link className="campaign-name" to={fillPath(adminPaths.campaign, { id: String(id) })}>
          {titulo}
        </Link>
        <span className="faint">{path}</span>
      </div>
    ),
  },
  {
    title: 'Situação',
    cell: ({ isActive }) => (
      <div>
        <ActiveBadge isActive={isActive} />
      </div>
    ),
  },
  {
    title: 'Assinaturas',
    numeric: true,
    cell: ({ signatures, baseCount }) => (
      <div>
        {formatNumber(signatures)}
        {baseCount > 0 && <div className="faint">mostra {formatNumber(baseCount + signatures)}</div>}
      </div>
    ),
  },
  {
    title: 'Última mudança',
    cell: ({ updatedAt, alteradaPor }) => (
      <div>
        {formatDateTime(updatedAt)}
        {alteradaPor && <div className="faint">por {alteradaPor}</div>}
      </div>
    ),
  },
  {
    title: 'Ações',
    cell: (campaign) => (
      <div className="actions">
        <Link className="button small" to={fillPath(adminPaths.campaign, { id: String(campaign.id) })}>
          Editar<span className="hidden"> {campaign.titulo}</span>
        </Link>
        <Activation campaign={campaign} />
      </div>
    ),
  },
]

export function CampaignsPage() {
  const campaigns = useQuery(campaignListQuery)
  return (
    <Page
      title="Campanhas"
      intro="Petições e abaixo-assinados do site."
      actions={
        <Link className="button button-yellow" to={adminPaths.newCampaign}>
          Nova campanha
        </Link>
      }
    >
      <QueryBoundary query={campaigns}>
        {({ campaigns: all }) =>
          all.length > 0 ? (
            <Table caption="Campanhas" columns={columns} rows={all} keyOf={({ id }) => id} />
          ) : (
            <EmptyState>Nenhuma campanha ainda. Crie a primeira.</EmptyState>
          )
        }
      </QueryBoundary>
    </Page>
  )
}

export function ActiveBadge({ isActive }: { isActive: boolean }) {
  return isActive ? <span className="badge badge-good">No ar</span> : <span className="badge">Fora do ar</span>
}
