// One campaign, to be written or changed.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { readStoredCampaign, type StoredCampaign } from '#contract/admin/campaigns.ts'
import { callAdmin } from '#web/admin/api.ts'
import { Activation } from '#web/admin/campaigns/activation.tsx'
import { CampaignForm } from '#web/admin/campaigns/campaign-form.tsx'
import { type CampaignValues, valuesOfCampaign } from '#web/admin/campaigns/campaign-values.ts'
import { State } from '#web/admin/campaigns/campaigns-page.tsx'
import { Conflict } from '#web/admin/campaigns/conflict.tsx'
import { Versions } from '#web/admin/campaigns/versions.tsx'
import { counted } from '#web/admin/ui/amounts.ts'
import { Page } from '#web/admin/ui/page.tsx'
import { Shown } from '#web/admin/ui/states.tsx'
import './campaigns.css'

const above = (
  <Link className="campaigns-back" to="/admin/campanhas">
    ← Campanhas
  </Link>
)

export function NewCampaignPage() {
  return (
    <Page title="Nova campanha" above={above}>
      <CampaignForm begin={{ start: valuesOfCampaign(), base: valuesOfCampaign() }} />
    </Page>
  )
}

export function CampaignPage() {
  const { id = '' } = useParams()
  const stored = useQuery({
    queryKey: ['campanhas', Number(id)],
    queryFn: () => callAdmin(readStoredCampaign, { params: { id } }),
  })
  const campaign = stored.data?.campaign
  return (
    <Page
      title={campaign?.titulo ?? 'Campanha'}
      above={above}
      intro={campaign && <Facts campaign={campaign} />}
      actions={campaign && <Activation campaign={campaign} />}
    >
      <Shown query={stored} rows={8}>
        {(data) => (
          <>
            <Editing key={data.campaign.id} stored={data.campaign} />
            <Versions id={data.campaign.id} present={data.campaign.versaoManifesto} />
          </>
        )}
      </Shown>
    </Page>
  )
}

function Facts({ campaign }: { campaign: StoredCampaign }) {
  const { isActive, path, signatures } = campaign
  return (
    <span className="campaign-facts">
      <State isActive={isActive} />
      {isActive ? (
        <a href={path} target="_blank" rel="noreferrer">
          {path}
        </a>
      ) : (
        <span>{path}</span>
      )}
      <span>{counted(signatures, 'assinatura', 'assinaturas')}</span>
    </span>
  )
}

interface Meeting {
  base: CampaignValues
  mine: CampaignValues
  stored: StoredCampaign
}

/** The form begins anew, with what came of both, when two edits have met. */
function Editing({ stored }: { stored: StoredCampaign }) {
  const [begin, setBegin] = useState(() => ({
    round: 0,
    revision: stored.revisao,
    start: valuesOfCampaign(stored),
    base: valuesOfCampaign(stored),
  }))
  const [meeting, setMeeting] = useState<Meeting>()
  return (
    <>
      {meeting && (
        <Conflict
          {...meeting}
          onResolve={(merged) => {
            const { revisao } = meeting.stored
            setBegin({
              round: begin.round + 1,
              revision: revisao,
              start: merged,
              base: valuesOfCampaign(meeting.stored),
            })
            setMeeting(undefined)
          }}
        />
      )}
      {/* What is typed below meanwhile would not be in what comes of both. */}
      <CampaignForm
        key={begin.round}
        stored={stored}
        begin={begin}
        inert={meeting !== undefined}
        onMeeting={setMeeting}
      />
    </>
  )
}
