// All campaigns: which are on, how many signed, who changed what last.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type CampaignSummary, listCampaigns } from '#contract/admin/campaigns.ts'
import { callAdmin } from '#web/admin/api.ts'
import { Activation } from '#web/admin/campaigns/activation.tsx'
import { inWords } from '#web/admin/ui/amounts.ts'
import { momentInWords } from '#web/admin/ui/moments.ts'
import { Page } from '#web/admin/ui/page.tsx'
import { Empty, Shown } from '#web/admin/ui/states.tsx'
import { type Column, Table } from '#web/admin/ui/table.tsx'
import './campaigns.css'

const columns: Column<CampaignSummary>[] = [
  {
    title: 'Campanha',
    cell: ({ id, titulo, path }) => (
      <div>
        <Link className="campaign-name" to={`/admin/campanhas/${id}`}>
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
        <State isActive={isActive} />
      </div>
    ),
  },
  {
    title: 'Assinaturas',
    numeric: true,
    cell: ({ signatures, baseCount }) => (
      <div>
        {inWords(signatures)}
        {baseCount > 0 && <div className="faint">mostra {inWords(baseCount + signatures)}</div>}
      </div>
    ),
  },
  {
    title: 'Última mudança',
    cell: ({ updatedAt, alteradaPor }) => (
      <div>
        {momentInWords(updatedAt)}
        {alteradaPor && <div className="faint">por {alteradaPor}</div>}
      </div>
    ),
  },
  {
    title: 'Ações',
    cell: (campaign) => (
      <div className="actions">
        <Link className="button small" to={`/admin/campanhas/${campaign.id}`}>
          Editar<span className="hidden"> {campaign.titulo}</span>
        </Link>
        <Activation campaign={campaign} />
      </div>
    ),
  },
]

export function CampaignsPage() {
  const campaigns = useQuery({ queryKey: ['campanhas', 'lista'], queryFn: () => callAdmin(listCampaigns) })
  return (
    <Page
      title="Campanhas"
      intro="Petições e abaixo-assinados do site."
      actions={
        <Link className="button button-yellow" to="/admin/campanhas/nova">
          Nova campanha
        </Link>
      }
    >
      <Shown query={campaigns}>
        {({ campaigns: all }) =>
          all.length > 0 ? (
            <Table caption="Campanhas" columns={columns} rows={all} keyOf={({ id }) => id} />
          ) : (
            <Empty>Nenhuma campanha ainda. Crie a primeira.</Empty>
          )
        }
      </Shown>
    </Page>
  )
}

export function State({ isActive }: { isActive: boolean }) {
  return isActive ? <span className="badge badge-good">No ar</span> : <span className="badge">Fora do ar</span>
}
