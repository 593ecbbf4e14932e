// Activates a campaign, or deactivates it after a confirmation, because visitors notice at once.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { activateCampaign, type CampaignSummary, deactivateCampaign } from '#contract/admin/campaigns.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { messages } from '#contract/messages.ts'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { campaignLinksQuery, updateCachedCampaign } from '#web/admin/campaigns/campaign-queries.ts'
import { Confirmation } from '#web/admin/ui/dialog.tsx'
import { showToast } from '#web/admin/ui/toast.ts'

export function Activation({ campaign }: { campaign: CampaignSummary }) {
  const { id, titulo, isActive } = campaign
  const [isConfirming, setConfirming] = useState(false)
  const queries = useQueryClient()
  const change = useMutation({
    // The requested state is explicit: the campaign may have changed while the dialog was open.
    mutationFn: (requested: 'on' | 'off') =>
      callAdmin(requested === 'on' ? activateCampaign : deactivateCampaign, { params: { id: String(id) } }),
    onSuccess({ message, campaign: changed }) {
      showToast({ title: messages.toast.success, text: message, tone: 'success' })
      updateCachedCampaign(queries, changed)
    },
    onError: (error) =>
      showToast({
        title: messages.toast.error,
        text: errorMessage(error, adminMessages.campaign.failed),
        tone: 'error',
      }),
  })
  const problem = change.error ? errorMessage(change.error, adminMessages.campaign.failed) : ''
  return (
    <>
      <button
        type="button"
        className="button small"
        disabled={change.isPending}
        onClick={() => (isActive ? setConfirming(true) : change.mutate('on'))}
      >
        {isActive ? 'Tirar do ar' : 'Pôr no ar'}
        <span className="hidden"> {titulo}</span>
      </button>
      {!isConfirming && problem && (
        <p role="alert" className="error">
          {problem}
        </p>
      )}
      {isConfirming && (
        <Confirmation
          title="Tirar a campanha do ar"
          question={`A página de "${titulo}" deixa de existir para quem visita, e ninguém mais consegue assinar. As assinaturas ficam guardadas, e você pode pôr no ar de novo quando quiser.`}
          action="Tirar do ar"
          busy={change.isPending}
          problem={problem}
          onConfirm={() => change.mutate('off', { onSuccess: () => setConfirming(false) })}
          onClose={() => setConfirming(false)}
        >
          <Links campaign={campaign} />
        </Confirmation>
      )}
    </>
  )
}

/** Where visitors find the campaign now. The decision does not wait for this. */
function Links({ campaign: { id, status } }: { campaign: CampaignSummary }) {
  const { data, isError } = useQuery(campaignLinksQuery(id))
  const listings = status === 'live' && (
    <p className="faint">
      Ela sai sozinha da página inicial, da lista de campanhas, do rodapé e das telas de agradecimento.
    </p>
  )
  if (!data)
    return (
      <p className="faint">
        {isError ? 'Não foi possível ver onde ela aparece no site.' : 'Procurando onde ela aparece...'}
      </p>
    )
  if (data.links.length === 0) return listings || <p className="faint">Nenhum texto do site tem link para ela.</p>
  return (
    <>
      {listings}
      <div className="campaign-links">
        <p>Links para ela:</p>
        <ul>
          {data.links.map(({ place, name }) => (
            <li key={place + name}>
              {place}: <strong>{name}</strong>
            </li>
          ))}
        </ul>
        <p className="faint">Somem sozinhos, menos os escritos no texto de manifestos e conteúdos.</p>
      </div>
    </>
  )
}
