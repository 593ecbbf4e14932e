// Downloads the PDF with which the petition is handed over. The list of names is a separate, confirmed choice.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { downloadDelivery, downloadDeliveryWithNames, type StoredCampaign } from '#contract/admin/campaigns.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { fillPath } from '#contract/endpoint.ts'
import { authorization, errorMessage, handleAuthError } from '#web/admin/api/client.ts'
import { withRecentLogin } from '#web/admin/api/recent-login.ts'
import { readToken, useIsCoordinator } from '#web/admin/session/session.ts'
import { Confirmation } from '#web/admin/ui/dialog.tsx'
import { download } from '#web/admin/ui/download.ts'
import { DownloadIcon } from '#web/admin/ui/icons.tsx'
import { ApiFailure } from '#web/api/client.ts'

export function DeliveryPanel({ campaign }: { campaign: StoredCampaign }) {
  const isCoordinator = useIsCoordinator()
  const [isConfirming, setConfirming] = useState(false)
  const saving = useMutation({
    mutationFn: (content: 'totals' | 'names') => savePdf(campaign, content),
    onSuccess: () => setConfirming(false),
  })
  const problem = saving.error ? errorMessage(saving.error, adminMessages.campaign.deliveryFailed) : ''
  return (
    <section className="panel campaign-section" aria-labelledby="secao-entrega">
      <h2 id="secao-entrega">Entrega</h2>
      <p className="faint">
        Um PDF para levar a quem decide: capa, manifesto e totais por estado e cidade. Nunca leva e-mail nem telefone.
      </p>
      <div className="actions">
        <button
          type="button"
          className="button small"
          disabled={saving.isPending}
          onClick={() => saving.mutate('totals')}
        >
          <DownloadIcon />
          Baixar PDF com os totais
        </button>
        {isCoordinator && (
          <button
            type="button"
            className="button small"
            disabled={saving.isPending}
            onClick={() => setConfirming(true)}
          >
            <DownloadIcon />
            Baixar PDF com a lista de nomes
          </button>
        )}
      </div>
      <p role="status" className="faint">
        {saving.isPending && 'Preparando o PDF...'}
      </p>
      {!isConfirming && problem && (
        <p role="alert" className="error">
          {problem}
        </p>
      )}
      {isConfirming && (
        <Confirmation
          title="PDF com a lista de nomes"
          question="O arquivo traz nome, cidade e estado de cada pessoa que assinou. Assinar revela opinião política, e a lei protege esse dado: entregue só a quem deve receber o abaixo-assinado e não publique. O download fica anotado no registro com o seu usuário."
          action="Baixar com os nomes"
          busy={saving.isPending}
          problem={problem}
          onConfirm={() => saving.mutate('names')}
          onClose={() => setConfirming(false)}
        />
      )}
    </section>
  )
}

async function savePdf({ id, slug }: StoredCampaign, content: 'totals' | 'names'): Promise<void> {
  const endpoint = content === 'names' ? downloadDeliveryWithNames : downloadDelivery
  const response = await withRecentLogin(async () => {
    const token = readToken()
    const reply = await fetch(fillPath(endpoint.path, { id: String(id) }), { headers: authorization(token) })
    if (reply.ok) return reply
    throw handleAuthError(new ApiFailure(reply.status, await reply.json().catch(() => {})), token)
  })
  // A stream that breaks off rejects here, so that an incomplete file is never saved.
  const pdf = await response.blob()
  download(`entrega-${slug}${content === 'names' ? '-com-nomes' : ''}.pdf`, pdf)
}
