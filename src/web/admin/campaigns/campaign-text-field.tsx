import type { ComponentProps } from 'react'
import { campaignLimits, shareTextLimit } from '#contract/admin/campaigns.ts'
import type { ShareChannel } from '#contract/campaigns.ts'
import { type CampaignValues, labels } from '#web/admin/campaigns/campaign-values.ts'
import { CountedField } from '#web/admin/ui/counted-field.tsx'

type LimitedName = 'titulo' | 'subtitulo' | 'ogTitle' | 'ogDescription' | 'sheetTab'

type ShareTextName = `shareTexts.${ShareChannel}`

interface CampaignTextFieldProps extends Omit<ComponentProps<typeof CountedField>, 'label' | 'text' | 'limit'> {
  name: LimitedName | ShareTextName
  values: CampaignValues
}

const limitOf = (name: LimitedName | ShareTextName) =>
  name.startsWith('shareTexts.')
    ? shareTextLimit(name.slice('shareTexts.'.length) as ShareChannel)
    : campaignLimits[name as LimitedName]

export function CampaignTextField({ name, values, ...field }: CampaignTextFieldProps) {
  return <CountedField {...field} name={name} label={labels[name]} text={values[name]} limit={limitOf(name)} />
}
