// Buttons that change the status of a campaign. Changes that visitors notice are confirmed first.
import { useState } from 'react'
import { statusTransitions } from '#contract/admin/campaign-status.ts'
import { type CampaignSummary, changeCampaignStatus } from '#contract/admin/campaigns.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import type { CampaignStatus } from '#contract/campaigns.ts'
import { messages } from '#contract/messages.ts'
import { callAdmin } from '#web/admin/api/client.ts'
import { useCampaignChange } from '#web/admin/campaigns/use-campaign-change.ts'
import { Confirmation } from '#web/admin/ui/dialog.tsx'
import { CheckIcon, SendIcon, TrophyIcon } from '#web/admin/ui/icons.tsx'
import { showToast } from '#web/admin/ui/toast.ts'

type Target = Exclude<CampaignStatus, 'draft'>

const icons = { live: SendIcon, closed: CheckIcon, won: TrophyIcon }

interface Wording {
  action: string
  title: string
  question: string
}

/** Without a wording the change needs no confirmation. */
function wordingOf({ status, titulo }: CampaignSummary, target: Target): Wording | undefined {
  if (target === 'live')
    return status === 'draft'
      ? undefined
      : {
          action: 'Reabrir',
          title: 'Reabrir a campanha',
          question: `O formulário de "${titulo}" volta para a página, e as pessoas podem assinar de novo. O resultado sai da página e fica guardado.`,
        }
  const stays = 'A página continua no ar, com o resultado e o agradecimento no lugar do formulário.'
  if (target === 'closed')
    return {
      action: status === 'won' ? 'Marcar como encerrada' : 'Encerrar',
      title: 'Encerrar a campanha',
      question: `Ninguém mais assina "${titulo}". ${stays} Você pode reabrir quando quiser.`,
    }
  return {
    action: 'Declarar vitória',
    title: 'Declarar vitória',
    question: `A página de "${titulo}" comemora a vitória e não recebe mais assinaturas. ${stays}`,
  }
}

interface StatusActionsProps {
  campaign: CampaignSummary
  /** The form has changes that would not be published. */
  isUnsaved?: boolean
  /** The pressed button has disappeared, with the focus. */
  onChanged?(): void
}

export function StatusActions({ campaign, isUnsaved = false, onChanged }: StatusActionsProps) {
  const { id, status, titulo } = campaign
  const [target, setTarget] = useState<Target>()
  const { change, problem } = useCampaignChange((next: Target) =>
    callAdmin(changeCampaignStatus, { params: { id: String(id) }, body: { status: next } }),
  )
  const wording = target && wordingOf(campaign, target)

  function start(next: Target): void {
    if (change.isPending) return
    if (status === 'draft' && isUnsaved)
      showToast({ title: messages.toast.error, text: adminMessages.campaign.publishUnsaved, tone: 'error' })
    else if (wordingOf(campaign, next)) setTarget(next)
    else change.mutate(next, { onSuccess: () => onChanged?.() })
  }

  return (
    <>
      {(statusTransitions[status] as Target[]).map((next) => {
        const Icon = icons[next]
        return (
          <button
            key={next}
            type="button"
            className={status === 'draft' ? 'button small button-yellow' : 'button small'}
            // Not disabled, which would lose the focus.
            aria-disabled={change.isPending || undefined}
            onClick={() => start(next)}
          >
            <Icon />
            {wordingOf(campaign, next)?.action ?? 'Publicar'}
            <span className="hidden"> {titulo}</span>
          </button>
        )
      })}
      {!wording && problem && (
        <p role="alert" className="error">
          {problem}
        </p>
      )}
      {target && wording && (
        <Confirmation
          {...wording}
          busy={change.isPending}
          problem={problem}
          onConfirm={() =>
            change.mutate(target, {
              onSuccess() {
                setTarget(undefined)
                onChanged?.()
              },
            })
          }
          onClose={() => setTarget(undefined)}
        />
      )}
    </>
  )
}
