// Switching a campaign on, or off after a question: visitors notice at once.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  activateCampaign,
  type CampaignSummary,
  deactivateCampaign,
  listCampaignLinks,
} from '#contract/admin/campaigns.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { messages } from '#contract/messages.ts'
import { callAdmin, sentenceOf } from '#web/admin/api.ts'
import { Confirmation } from '#web/admin/ui/dialog.tsx'
import { showToast } from '#web/admin/ui/toast.ts'

export function Activation({ campaign }: { campaign: CampaignSummary }) {
  const { id, titulo, isActive } = campaign
  const [asking, setAsking] = useState(false)
  const queries = useQueryClient()
  const change = useMutation({
    // What was asked for is done, whatever the campaign has become while the question stood there.
    mutationFn: (wish: 'on' | 'off') =>
      callAdmin(wish === 'on' ? activateCampaign : deactivateCampaign, { params: { id: String(id) } }),
    onSuccess({ message, campaign: changed }) {
      showToast({ title: messages.toast.success, text: message, tone: 'success' })
      queries.setQueryData(['campanhas', id], { success: true, campaign: changed })
      // Not waited for: the question goes when its deed is done.
      void queries.invalidateQueries({ queryKey: ['campanhas', 'lista'] })
    },
    onError: (error) =>
      showToast({
        title: messages.toast.error,
        text: sentenceOf(error, adminMessages.campaign.failed),
        tone: 'error',
      }),
  })
  const problem = change.error ? sentenceOf(change.error, adminMessages.campaign.failed) : ''
  return (
    <>
      <button
        type="button"
        className="button small"
        disabled={change.isPending}
        onClick={() => (isActive ? setAsking(true) : change.mutate('on'))}
      >
        {isActive ? 'Tirar do ar' : 'Pôr no ar'}
        <span className="hidden"> {titulo}</span>
      </button>
      {!asking && problem && (
        <p role="alert" className="error">
          {problem}
        </p>
      )}
      {asking && (
        <Confirmation
          title="Tirar a campanha do ar"
          question={`A página de "${titulo}" deixa de existir para quem visita, e ninguém mais consegue assinar. As assinaturas ficam guardadas, e você pode pôr no ar de novo quando quiser.`}
          action="Tirar do ar"
          busy={change.isPending}
          problem={problem}
          onConfirm={() => change.mutate('off', { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          <Links id={id} />
        </Confirmation>
      )}
    </>
  )
}

/** Where visitors find it now. Deciding does not wait for this. */
function Links({ id }: { id: number }) {
  const { data, isError } = useQuery({
    queryKey: ['campanhas', id, 'links'],
    queryFn: () => callAdmin(listCampaignLinks, { params: { id: String(id) } }),
    staleTime: 0,
  })
  if (!data)
    return (
      <p className="faint">
        {isError ? 'Não foi possível ver onde ela aparece no site.' : 'Procurando onde ela aparece...'}
      </p>
    )
  if (data.links.length === 0) return <p className="faint">Nenhuma página do site tem link para ela.</p>
  return (
    <div className="campaign-links">
      <p>Onde ela aparece hoje:</p>
      <ul>
        {data.links.map(({ place, name }) => (
          <li key={place + name}>
            {place}: <strong>{name}</strong>
          </li>
        ))}
      </ul>
      <p className="faint">
        Os links do menu, do rodapé e das páginas do site somem sozinhos. Os de manifestos e conteúdos, não.
      </p>
    </div>
  )
}
