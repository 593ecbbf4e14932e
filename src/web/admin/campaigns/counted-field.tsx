// A text field with a character count. Nothing is cut off: a text that is too long can be seen and shortened.
import type { ComponentProps } from 'react'
import { campaignLimits, shareTextLimit } from '#contract/admin/campaigns.ts'
import type { ShareChannel } from '#contract/campaigns.ts'
import { type CampaignValues, labels } from '#web/admin/campaigns/campaign-values.ts'
import { TextField } from '#web/forms/fields/field.tsx'
import { LongTextField } from '#web/forms/fields/long-text-field.tsx'
import type { FieldState } from '#web/forms/submission/use-submission.ts'

type LimitedName = 'titulo' | 'subtitulo' | 'ogTitle' | 'ogDescription' | 'sheetTab'

type ShareTextName = `shareTexts.${ShareChannel}`

interface CountedFieldProps
  extends Pick<ComponentProps<'input'>, 'required' | 'autoComplete' | 'ref' | 'value' | 'defaultValue' | 'onChange'> {
  placeholder?: string
  form: FieldState
  name: LimitedName | ShareTextName
  values: CampaignValues
  help?: string
  long?: boolean
}

const limitOf = (name: LimitedName | ShareTextName) =>
  name.startsWith('shareTexts.')
    ? shareTextLimit(name.slice('shareTexts.'.length) as ShareChannel)
    : campaignLimits[name as LimitedName]

export function CountedField({ form, name, values, help, long, placeholder, ...input }: CountedFieldProps) {
  const limit = limitOf(name)
  const length = values[name].trim().length
  const over = length - limit
  const countText = over > 0 ? `${length} de ${limit} caracteres: ${over} a mais` : `${length} de ${limit} caracteres`
  const shared = { form, name, label: labels[name], hint: help ? `${countText}. ${help}` : countText }
  return (
    <div className="counted" data-over={over > 0 || undefined}>
      {long ? <LongTextField {...shared} rows={3} placeholder={placeholder} /> : <TextField {...shared} {...input} />}
      {/* Announced once, when the limit is passed: a number after every letter would be noise. */}
      <p className="hidden" role="status">
        {over > 0 && `${labels[name]}: passou do limite de ${limit} caracteres`}
      </p>
    </div>
  )
}
