import { useQuery } from '@tanstack/react-query'
import { listCampaigns } from '#contract/admin/campaigns.ts'
import { contentLabels } from '#contract/admin/contents.ts'
import { callAdmin } from '#web/admin/api/client.ts'
import { SelectField } from '#web/forms/fields/field.tsx'
import type { FieldState } from '#web/forms/submission/use-submission.ts'

/** The petition that visitors sign from the content. The stored choice stays while the list is loading. */
export function PetitionField({ form }: { form: FieldState }) {
  const { data } = useQuery({ queryKey: ['campanhas', 'lista'], queryFn: () => callAdmin(listCampaigns) })
  const chosen = form.initial('campaignId')
  const campaigns = data?.campaigns ?? (chosen ? [{ id: Number(chosen), titulo: 'Carregando…' }] : [])
  return (
    <SelectField
      form={form}
      name="campaignId"
      label={`${contentLabels.campaignId} (opcional)`}
      hint="O cartaz ganha um botão Assine, e quem compartilha manda o link da petição."
    >
      <option value="">Nenhuma</option>
      {campaigns.map(({ id, titulo }) => (
        <option key={id} value={id}>
          {titulo}
        </option>
      ))}
    </SelectField>
  )
}
