// When the campaign goes live and when it closes, in Brasília time.
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type StoredCampaign, scheduleCampaign, scheduleLabels } from '#contract/admin/campaigns.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { messages } from '#contract/messages.ts'
import { campaignQuery, updateCachedCampaign } from '#web/admin/campaigns/campaign-queries.ts'
import { formatMinute } from '#web/admin/ui/format-minute.ts'
import { showToast } from '#web/admin/ui/toast.ts'
import { useAlsoGuarded } from '#web/admin/ui/unsaved-guard.tsx'
import { useAdminForm } from '#web/admin/ui/use-admin-form.ts'
import { FormProblems, TextField } from '#web/forms/fields/field.tsx'

export function SchedulePanel({ campaign }: { campaign: StoredCampaign }) {
  const { id, status, publishAt, closeAt } = campaign
  if (status === 'closed' || status === 'won') return null
  const when = [
    publishAt && `Será publicada em ${formatMinute(publishAt)}.`,
    closeAt && `Encerra em ${formatMinute(closeAt)}.`,
  ].filter(Boolean)
  return (
    <section className="panel campaign-section" aria-labelledby="secao-agenda">
      <h2 id="secao-agenda">Agenda</h2>
      <p className="faint">
        {when.join(' ') || 'Nada marcado.'} O site faz isso sozinho, no horário de Brasília, mesmo com esta página
        fechada.
      </p>
      <ScheduleForm key={`${id} ${status}`} campaign={campaign} />
    </section>
  )
}

type Times = Pick<StoredCampaign, 'publishAt' | 'closeAt'>
const timesOf = ({ publishAt, closeAt }: Times): Times => ({ publishAt, closeAt })
const isSame = (one: Times, other: Times) => one.publishAt === other.publishAt && one.closeAt === other.closeAt

function ScheduleForm({ campaign }: { campaign: StoredCampaign }) {
  const queries = useQueryClient()
  const { id, status } = campaign
  const [isChanged, setChanged] = useState(false)
  const [shown, setShown] = useState(() => timesOf(campaign))
  /** The times that the typed ones replace. The server refuses the edit if others are stored. */
  const replaced = useRef(shown)
  if (!isChanged && !isSame(shown, campaign)) setShown(timesOf(campaign))
  useAlsoGuarded(() => isChanged)
  const form = useAdminForm({
    endpoint: scheduleCampaign,
    params: { id: String(id) },
    initial: { publishAt: shown.publishAt ?? '', closeAt: shown.closeAt ?? '' },
    prepare: (values) => ({ ...values, antes: isChanged ? replaced.current : shown }),
    failed: adminMessages.campaign.failed,
    onSent({ message, campaign: saved }, _, later) {
      showToast({ title: messages.toast.success, text: message, tone: 'success' })
      replaced.current = timesOf(saved)
      setChanged(later !== undefined)
      updateCachedCampaign(queries, saved)
    },
    async onRefused({ statusCode }) {
      if (statusCode !== 409) return
      const { queryKey } = campaignQuery(id)
      await queries.invalidateQueries({ queryKey, exact: true })
      const current = queries.getQueryData(queryKey)
      // Saving again replaces the times that are displayed above now.
      if (current) replaced.current = timesOf(current.campaign)
    },
  })
  const isSending = form.step === 'sending'
  return (
    <form
      className="schedule-form"
      {...form.attributes}
      onSubmit={(event) => (isSending ? event.preventDefault() : form.attributes.onSubmit(event))}
      onInput={(event) => {
        form.attributes.onInput(event)
        if (!isChanged) replaced.current = shown
        setChanged(true)
      }}
    >
      <FormProblems form={form} labels={scheduleLabels} />
      {/* The fields are replaced when other times are stored, but not while somebody types. */}
      <div key={`${shown.publishAt} ${shown.closeAt}`} className="schedule-times">
        {status === 'draft' && (
          <TextField form={form} name="publishAt" label={scheduleLabels.publishAt} type="datetime-local" />
        )}
        <TextField form={form} name="closeAt" label={scheduleLabels.closeAt} type="datetime-local" />
      </div>
      {/* Not disabled, which would lose the focus. */}
      <button type="submit" className="button small" aria-disabled={isSending || undefined}>
        {isSending ? 'Salvando...' : 'Salvar agenda'}
      </button>
    </form>
  )
}
