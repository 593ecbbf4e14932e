// Duplicates a campaign, and deletes a draft. Both lead to another page.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { deleteDraft, duplicateCampaign, type StoredCampaign } from '#contract/admin/campaigns.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import { fillPath } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { campaignListQuery } from '#web/admin/campaigns/campaign-queries.ts'
import { useCampaignChange } from '#web/admin/campaigns/use-campaign-change.ts'
import { Confirmation } from '#web/admin/ui/dialog.tsx'
import { CopyIcon, RemoveIcon } from '#web/admin/ui/icons.tsx'
import { showToast } from '#web/admin/ui/toast.ts'

export function DuplicateButton({ campaign: { id } }: { campaign: StoredCampaign }) {
  const navigate = useNavigate()
  const { change, problem } = useCampaignChange(() => callAdmin(duplicateCampaign, { params: { id: String(id) } }))
  return (
    <>
      <button
        type="button"
        className="button small"
        disabled={change.isPending}
        onClick={() =>
          change.mutate(undefined, {
            onSuccess: ({ campaign }) => void navigate(fillPath(adminPaths.campaign, { id: String(campaign.id) })),
          })
        }
      >
        <CopyIcon />
        Duplicar
      </button>
      {problem && (
        <p role="alert" className="error">
          {problem}
        </p>
      )}
    </>
  )
}

export function DeleteDraftButton({ campaign: { id, titulo } }: { campaign: StoredCampaign }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [isConfirming, setConfirming] = useState(false)
  const removal = useMutation({
    mutationFn: () => callAdmin(deleteDraft, { params: { id: String(id) } }),
    async onSuccess({ message }) {
      showToast({ title: messages.toast.success, text: message, tone: 'success' })
      await navigate(adminPaths.campaigns)
      void queries.invalidateQueries({ queryKey: campaignListQuery.queryKey })
    },
  })
  return (
    <>
      <button type="button" className="button small" onClick={() => setConfirming(true)}>
        <RemoveIcon />
        Apagar rascunho
      </button>
      {isConfirming && (
        <Confirmation
          title="Apagar o rascunho"
          question={`O rascunho "${titulo}" e as versões do texto são apagados para sempre.`}
          action="Apagar"
          busy={removal.isPending}
          problem={removal.error ? errorMessage(removal.error, adminMessages.campaign.failed) : ''}
          onConfirm={() => removal.mutate()}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  )
}
