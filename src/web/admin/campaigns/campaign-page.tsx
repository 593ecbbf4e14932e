// Pages to create and to edit a campaign.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import type { StoredCampaign } from '#contract/admin/campaigns.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import { Activation } from '#web/admin/campaigns/activation.tsx'
import { CampaignForm } from '#web/admin/campaigns/campaign-form.tsx'
import { campaignQuery } from '#web/admin/campaigns/campaign-queries.ts'
import { type CampaignValues, valuesOfCampaign } from '#web/admin/campaigns/campaign-values.ts'
import { Conflict } from '#web/admin/campaigns/conflict.tsx'
import { DeleteDraftButton, DuplicateButton } from '#web/admin/campaigns/copy-and-delete.tsx'
import { DeliveryPanel } from '#web/admin/campaigns/delivery-panel.tsx'
import { PromotionPanel } from '#web/admin/campaigns/promotion-panel.tsx'
import { SchedulePanel } from '#web/admin/campaigns/schedule-panel.tsx'
import { StatusActions } from '#web/admin/campaigns/status-actions.tsx'
import { StatusBadge } from '#web/admin/campaigns/status-badge.tsx'
import { Versions } from '#web/admin/campaigns/versions.tsx'
import { pluralize } from '#web/admin/ui/format-number.ts'
import { Page } from '#web/admin/ui/page.tsx'
import { QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import './campaigns.css'

const above = (
  <Link className="campaigns-back" to={adminPaths.campaigns}>
    Campanhas
  </Link>
)

export function NewCampaignPage() {
  return (
    <Page title="Nova campanha" above={above}>
      <CampaignForm initial={{ values: valuesOfCampaign(), base: valuesOfCampaign() }} />
    </Page>
  )
}

export function CampaignPage() {
  const { id = '' } = useParams()
  const stored = useQuery(campaignQuery(Number(id)))
  const campaign = stored.data?.campaign
  const [isUnsaved, setUnsaved] = useState(false)
  // The form is remounted with the restored text.
  const [restoredCount, setRestoredCount] = useState(0)
  return (
    <Page
      title={campaign?.titulo ?? 'Campanha'}
      above={above}
      intro={campaign && <CampaignFacts campaign={campaign} />}
      actions={campaign && <Actions campaign={campaign} isUnsaved={isUnsaved} />}
    >
      <QueryBoundary query={stored} rows={8}>
        {(data) => (
          <>
            {data.campaign.isActive && <PromotionPanel campaign={data.campaign} />}
            <SchedulePanel campaign={data.campaign} />
            <Editing key={`${data.campaign.id} ${restoredCount}`} stored={data.campaign} onUnsavedChange={setUnsaved} />
            {data.campaign.status !== 'draft' && <DeliveryPanel campaign={data.campaign} />}
            <Versions
              campaign={data.campaign}
              isUnsaved={isUnsaved}
              onRestored={() => setRestoredCount((count) => count + 1)}
            />
          </>
        )}
      </QueryBoundary>
    </Page>
  )
}

/** A draft is published; a published campaign is closed, reopened, or taken off the air. */
function Actions({ campaign, isUnsaved }: { campaign: StoredCampaign; isUnsaved: boolean }) {
  const { status, isActive } = campaign
  return (
    <>
      {(isActive || status === 'draft') && <StatusActions campaign={campaign} isUnsaved={isUnsaved} />}
      {status !== 'draft' && <Activation campaign={campaign} />}
      <DuplicateButton campaign={campaign} />
      {status === 'draft' && <DeleteDraftButton campaign={campaign} />}
    </>
  )
}

function CampaignFacts({ campaign }: { campaign: StoredCampaign }) {
  const { isActive, path, signatures } = campaign
  return (
    <span className="campaign-facts">
      <StatusBadge campaign={campaign} />
      {isActive ? (
        <a href={path} target="_blank" rel="noreferrer">
          {path}
        </a>
      ) : (
        <span>{path}</span>
      )}
      <span>{pluralize(signatures, 'assinatura', 'assinaturas')}</span>
    </span>
  )
}

interface EditConflict {
  base: CampaignValues
  mine: CampaignValues
  stored: StoredCampaign
}

/** When a conflict is resolved, the form is remounted with the merged values. */
function Editing({ stored, onUnsavedChange }: { stored: StoredCampaign; onUnsavedChange(isUnsaved: boolean): void }) {
  const [initial, setInitial] = useState(() => ({
    resolvedConflicts: 0,
    revision: stored.revisao,
    values: valuesOfCampaign(stored),
    base: valuesOfCampaign(stored),
  }))
  const [conflict, setConflict] = useState<EditConflict>()
  return (
    <>
      {conflict && (
        <Conflict
          {...conflict}
          onResolve={(merged) => {
            const { revisao } = conflict.stored
            setInitial({
              resolvedConflicts: initial.resolvedConflicts + 1,
              revision: revisao,
              values: merged,
              base: valuesOfCampaign(conflict.stored),
            })
            setConflict(undefined)
          }}
        />
      )}
      {/* Inert during a conflict: further input would not be part of the merged values. */}
      <CampaignForm
        key={initial.resolvedConflicts}
        stored={stored}
        initial={initial}
        inert={conflict !== undefined}
        onConflict={setConflict}
        onUnsavedChange={onUnsavedChange}
      />
    </>
  )
}
