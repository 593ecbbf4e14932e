// When the campaign goes live and when it closes, in Brasília time.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type StoredCampaign, scheduleCampaign, scheduleLabels } from '#contract/admin/campaigns.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { messages } from '#contract/messages.ts'
import { campaignQuery, updateCachedCampaign } from '#web/admin/campaigns/campaign-queries.ts'
import { formatMinute } from '#web/admin/campaigns/format-minute.ts'
import { showToast } from '#web/admin/ui/toast.ts'
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
      {/* Remounted with the stored times, also when the schedule has been executed. */}
      <ScheduleForm key={`${id} ${status} ${publishAt} ${closeAt}`} campaign={campaign} />
    </section>
  )
}

function ScheduleForm({ campaign }: { campaign: StoredCampaign }) {
  const queries = useQueryClient()
  const { id, status, publishAt, closeAt } = campaign
  const [isChanged, setChanged] = useState(false)
  const form = useAdminForm({
    endpoint: scheduleCampaign,
    params: { id: String(id) },
    initial: { publishAt: publishAt ?? '', closeAt: closeAt ?? '' },
    prepare: (values) => ({ ...values, antes: { publishAt, closeAt } }),
    failed: adminMessages.campaign.failed,
    onSent({ message, campaign: saved }) {
      showToast({ title: messages.toast.success, text: message, tone: 'success' })
      updateCachedCampaign(queries, saved)
    },
    onRefused({ statusCode }) {
      if (statusCode === 409) void queries.invalidateQueries({ queryKey: campaignQuery(id).queryKey, exact: true })
    },
  })
  const isSending = form.step === 'sending'
  return (
    <form
      className="schedule-form"
      {...form.attributes}
      onInput={(event) => {
        form.attributes.onInput(event)
        setChanged(true)
      }}
    >
      <FormProblems form={form} labels={scheduleLabels} />
      <div className="schedule-times">
        {status === 'draft' && (
          <TextField form={form} name="publishAt" label={scheduleLabels.publishAt} type="datetime-local" />
        )}
        <TextField form={form} name="closeAt" label={scheduleLabels.closeAt} type="datetime-local" />
      </div>
      <button type="submit" className="button small" disabled={isSending || !isChanged}>
        {isSending ? 'Salvando...' : 'Salvar agenda'}
      </button>
    </form>
  )
}
