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
import { ActiveBadge } from '#web/admin/campaigns/campaigns-page.tsx'
import { Conflict } from '#web/admin/campaigns/conflict.tsx'
import { Versions } from '#web/admin/campaigns/versions.tsx'
import { pluralize } from '#web/admin/ui/format-number.ts'
import { Page } from '#web/admin/ui/page.tsx'
import { QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import './campaigns.css'

const above = (
  <Link className="campaigns-back" to={adminPaths.campaigns}>
    ← Campanhas
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
  return (
    <Page
      title={campaign?.titulo ?? 'Campanha'}
      above={above}
      intro={campaign && <CampaignFacts campaign={campaign} />}
      actions={campaign && <Activation campaign={campaign} />}
    >
      <QueryBoundary query={stored} rows={8}>
        {(data) => (
          <>
            <Editing key={data.campaign.id} stored={data.campaign} />
            <Versions id={data.campaign.id} currentVersion={data.campaign.versaoManifesto} />
          </>
        )}
      </QueryBoundary>
    </Page>
  )
}

function CampaignFacts({ campaign }: { campaign: StoredCampaign }) {
  const { isActive, path, signatures } = campaign
  return (
    <span className="campaign-facts">
      <ActiveBadge isActive={isActive} />
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
function Editing({ stored }: { stored: StoredCampaign }) {
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
      />
    </>
  )
}
