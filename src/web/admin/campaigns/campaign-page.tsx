// Pages to create and to edit a campaign.
import { useQuery } from '@tanstack/react-query'
import { type Ref, useState } from 'react'
import { Link, useParams } from 'react-router'
import type { StoredCampaign } from '#contract/admin/campaigns.ts'
import { adminMessages } from '#contract/admin/messages.ts'
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
import { NewsIcon } from '#web/admin/ui/icons.tsx'
import { Page } from '#web/admin/ui/page.tsx'
import { QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { useFocusAfterRemoval } from '#web/admin/ui/use-focus-after-removal.ts'
import './campaigns.css'

const above = (
  <Link className="campaigns-back" to={adminPaths.campaigns}>
    Campanhas
  </Link>
)

export function NewCampaignPage() {
  const [isRestored, setRestored] = useState(false)
  const [discarded, setDiscarded] = useState(0)
  return (
    <Page title="Nova campanha" above={above}>
      {isRestored && <RestoredDraft action="Descartar" onDiscard={() => setDiscarded((count) => count + 1)} />}
      <CampaignForm
        key={discarded}
        initial={{ values: valuesOfCampaign(), base: valuesOfCampaign(), resets: discarded }}
        onRestored={setRestored}
      />
    </Page>
  )
}

export function CampaignPage() {
  const { id = '' } = useParams()
  const stored = useQuery(campaignQuery(Number(id)))
  const campaign = stored.data?.campaign
  const [isUnsaved, setUnsaved] = useState(false)
  const [isRestored, setRestored] = useState(false)
  // The form is remounted with the stored values.
  const [resets, setResets] = useState(0)
  const [removals, setRemovals] = useState(0)
  const facts = useFocusAfterRemoval<HTMLSpanElement>(removals)
  const onChanged = () => setRemovals((count) => count + 1)
  return (
    <Page
      title={campaign?.titulo ?? 'Campanha'}
      above={above}
      intro={campaign && <CampaignFacts ref={facts} campaign={campaign} />}
      actions={campaign && <Actions campaign={campaign} isUnsaved={isUnsaved} onChanged={onChanged} />}
    >
      <QueryBoundary query={stored} rows={8}>
        {(data) => (
          <>
            {isRestored && (
              <RestoredDraft
                action="Descartar e usar o que está salvo"
                onDiscard={() => {
                  setRestored(false)
                  setResets((count) => count + 1)
                  onChanged()
                }}
              />
            )}
            {data.campaign.isActive && <PromotionPanel campaign={data.campaign} />}
            <SchedulePanel campaign={data.campaign} />
            <Editing
              key={`${data.campaign.id} ${resets}`}
              stored={data.campaign}
              onUnsavedChange={setUnsaved}
              onRestored={setRestored}
            />
            {data.campaign.status !== 'draft' && <DeliveryPanel campaign={data.campaign} />}
            <Versions
              campaign={data.campaign}
              isUnsaved={isUnsaved}
              onRestored={() => setResets((count) => count + 1)}
            />
          </>
        )}
      </QueryBoundary>
    </Page>
  )
}

interface RestoredDraftProps {
  action: string
  onDiscard(): void
}

function RestoredDraft({ action, onDiscard }: RestoredDraftProps) {
  return (
    <div className="notice restored-draft">
      <p role="status">{adminMessages.session.draftBack}</p>
      <button type="button" className="button small" onClick={onDiscard}>
        {action}
      </button>
    </div>
  )
}

interface ActionsProps {
  campaign: StoredCampaign
  isUnsaved: boolean
  onChanged(): void
}

/** A draft is published; a published campaign is closed, reopened, or taken off the air. */
function Actions({ campaign, isUnsaved, onChanged }: ActionsProps) {
  const { status, isActive } = campaign
  return (
    <>
      {(isActive || status === 'draft') && (
        <StatusActions campaign={campaign} isUnsaved={isUnsaved} onChanged={onChanged} />
      )}
      {status !== 'draft' && <Activation campaign={campaign} />}
      {status !== 'draft' && (
        <Link className="button small" to={`${adminPaths.newNews}?campanha=${campaign.id}`}>
          <NewsIcon />
          Escrever novidade
        </Link>
      )}
      <DuplicateButton campaign={campaign} />
      {status === 'draft' && <DeleteDraftButton campaign={campaign} />}
    </>
  )
}

interface CampaignFactsProps {
  campaign: StoredCampaign
  ref: Ref<HTMLSpanElement>
}

function CampaignFacts({ campaign, ref }: CampaignFactsProps) {
  const { isActive, path, signatures, confirmed } = campaign
  return (
    <span className="campaign-facts" tabIndex={-1} ref={ref}>
      <StatusBadge campaign={campaign} />
      {isActive ? (
        <a href={path} target="_blank" rel="noreferrer">
          {path}
        </a>
      ) : (
        <span>{path}</span>
      )}
      <span>
        {pluralize(signatures, 'assinatura', 'assinaturas')}
        {signatures > 0 && `, ${pluralize(confirmed, 'confirmada', 'confirmadas')}`}
      </span>
    </span>
  )
}

interface EditConflict {
  base: CampaignValues
  mine: CampaignValues
  stored: StoredCampaign
}

interface EditingProps {
  stored: StoredCampaign
  onUnsavedChange(isUnsaved: boolean): void
  onRestored(isRestored: boolean): void
}

/** When a conflict is resolved, the form is remounted with the merged values. */
function Editing({ stored, onUnsavedChange, onRestored }: EditingProps) {
  const [initial, setInitial] = useState(() => ({
    resets: 0,
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
              resets: initial.resets + 1,
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
        key={initial.resets}
        stored={stored}
        initial={initial}
        inert={conflict !== undefined}
        onConflict={setConflict}
        onUnsavedChange={onUnsavedChange}
        onRestored={onRestored}
      />
    </>
  )
}
