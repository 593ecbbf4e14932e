// All campaigns in the order of the site: status, signatures, last change; filtered by status.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { type CampaignSummary, displayedStatus, publicSignatures, statusNames } from '#contract/admin/campaigns.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import { fillPath } from '#contract/endpoint.ts'
import { Activation } from '#web/admin/campaigns/activation.tsx'
import { campaignListQuery } from '#web/admin/campaigns/campaign-queries.ts'
import { StatusActions } from '#web/admin/campaigns/status-actions.tsx'
import { StatusBadge } from '#web/admin/campaigns/status-badge.tsx'
import { useCampaignOrder } from '#web/admin/campaigns/use-campaign-order.ts'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { formatMinute } from '#web/admin/ui/format-minute.ts'
import { formatNumber } from '#web/admin/ui/format-number.ts'
import { MoveButton } from '#web/admin/ui/move-button.tsx'
import { Page } from '#web/admin/ui/page.tsx'
import { EmptyState, QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { type Column, Table } from '#web/admin/ui/table.tsx'
import { useFocusAfterRemoval } from '#web/admin/ui/use-focus-after-removal.ts'
import './campaigns.css'

type StatusFilter = keyof typeof statusNames

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
    cell: (campaign) => (
      <div>
        <StatusBadge campaign={campaign} />
        {campaign.publishAt && <div className="faint">publica em {formatMinute(campaign.publishAt)}</div>}
        {campaign.closeAt && <div className="faint">encerra em {formatMinute(campaign.closeAt)}</div>}
      </div>
    ),
  },
  {
    title: 'Assinaturas',
    numeric: true,
    cell: ({ signatures, confirmed, countingMode, baseCount, meta }) => (
      <div>
        {formatNumber(signatures)}
        {(baseCount > 0 || countingMode === 'confirmed') && (
          <div className="faint">
            mostra {formatNumber(baseCount + publicSignatures({ signatures, confirmed }, countingMode))}
          </div>
        )}
        {meta !== null && <div className="faint">meta {formatNumber(meta)}</div>}
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
    cell: (campaign) => <Actions campaign={campaign} />,
  },
]

function Actions({ campaign }: { campaign: CampaignSummary }) {
  const link = useFocusAfterRemoval<HTMLAnchorElement>(campaign.status)
  return (
    <div className="actions">
      <Link ref={link} className="button small" to={fillPath(adminPaths.campaign, { id: String(campaign.id) })}>
        Editar<span className="hidden"> {campaign.titulo}</span>
      </Link>
      {campaign.status === 'draft' ? <StatusActions campaign={campaign} /> : <Activation campaign={campaign} />}
    </div>
  )
}

export function CampaignsPage() {
  const campaigns = useQuery(campaignListQuery)
  return (
    <Page
      title="Campanhas"
      intro="Petições e abaixo-assinados, na ordem em que aparecem no site."
      actions={
        <Link className="button button-yellow" to={adminPaths.newCampaign}>
          Nova campanha
        </Link>
      }
    >
      <QueryBoundary query={campaigns}>
        {({ campaigns: all }) =>
          all.length > 0 ? (
            <CampaignList campaigns={all} />
          ) : (
            <EmptyState>
              <p>Nenhuma campanha ainda. Escreva a primeira: ela fica como rascunho até você publicar.</p>
              <Link className="button button-yellow" to={adminPaths.newCampaign}>
                Escrever a primeira campanha
              </Link>
            </EmptyState>
          )
        }
      </QueryBoundary>
    </Page>
  )
}

function CampaignList({ campaigns }: { campaigns: CampaignSummary[] }) {
  const [params, setParams] = useSearchParams()
  const filter = params.get('situacao') ?? ''
  const visible = campaigns.filter((campaign) => filter === '' || displayedStatus(campaign) === filter)
  const { moveBeside, problem } = useCampaignOrder()
  const pressedButton = useRef('')
  const [announcement, setAnnouncement] = useState('')

  function move(index: number, step: -1 | 1): void {
    const [campaign, neighbour] = [visible[index], visible[index + step]]
    if (!campaign || !neighbour) return
    pressedButton.current = `mover-${campaign.id}-${step}`
    moveBeside(campaign.id, neighbour.id, step)
    setAnnouncement(`${campaign.titulo}: posição ${index + step + 1} de ${visible.length}`)
  }

  // Browsers drop the focus of an element that is moved in the document.
  useEffect(() => {
    if (campaigns.length > 0 && pressedButton.current) document.getElementById(pressedButton.current)?.focus()
    pressedButton.current = ''
  }, [campaigns])

  const order: Column<CampaignSummary> = {
    title: 'Ordem',
    cell(campaign) {
      const index = visible.indexOf(campaign)
      return (
        <div className="move-buttons">
          {([-1, 1] as const).map((step) => (
            <MoveButton
              key={step}
              id={campaign.id}
              name={campaign.titulo}
              step={step}
              canMove={step < 0 ? index > 0 : index < visible.length - 1}
              onMove={() => move(index, step)}
            />
          ))}
        </div>
      )
    },
  }

  return (
    <>
      <StatusFilters
        campaigns={campaigns}
        chosen={filter}
        onChoose={(chosen) => setParams(chosen ? { situacao: chosen } : {}, { replace: true })}
      />
      <p className="hidden" role="status">
        {announcement}
      </p>
      <p className="error" role="alert">
        {problem}
      </p>
      {visible.length > 0 ? (
        <Table caption="Campanhas" columns={[...columns, order]} rows={visible} keyOf={({ id }) => id} />
      ) : (
        <EmptyState>Nenhuma campanha nesta situação.</EmptyState>
      )}
    </>
  )
}

interface StatusFiltersProps {
  campaigns: CampaignSummary[]
  /** Empty: all. */
  chosen: string
  onChoose(status: string): void
}

/** Only statuses that occur, and the chosen one. */
function StatusFilters({ campaigns, chosen, onChoose }: StatusFiltersProps) {
  const countOf = (status: StatusFilter) => campaigns.filter((campaign) => displayedStatus(campaign) === status).length
  const statuses = (Object.keys(statusNames) as StatusFilter[]).filter(
    (status) => countOf(status) > 0 || status === chosen,
  )
  if (statuses.length < 2 && chosen === '') return null
  return (
    <fieldset className="status-filters">
      <legend className="hidden">Mostrar campanhas por situação</legend>
      <StatusChoice label="Todas" count={campaigns.length} isChosen={chosen === ''} onChoose={() => onChoose('')} />
      {statuses.map((status) => (
        <StatusChoice
          key={status}
          label={statusNames[status]}
          count={countOf(status)}
          isChosen={status === chosen}
          onChoose={() => onChoose(status)}
        />
      ))}
    </fieldset>
  )
}

interface StatusChoiceProps {
  label: string
  count: number
  isChosen: boolean
  onChoose(): void
}

function StatusChoice({ label, count, isChosen, onChoose }: StatusChoiceProps) {
  return (
    <button type="button" className="button small" aria-pressed={isChosen} onClick={onChoose}>
      {label} <span className="status-count">{formatNumber(count)}</span>
    </button>
  )
}
