// A field that says how much fits while one writes. Nothing is cut: what is too long can be seen and shortened.
import type { ComponentProps } from 'react'
import { campaignLimits } from '#contract/admin/campaigns.ts'
import { type CampaignValues, labels } from '#web/admin/campaigns/campaign-values.ts'
import { type FieldState, LongTextField, TextField } from '#web/forms/field.tsx'

interface CountedFieldProps
  extends Pick<ComponentProps<'input'>, 'required' | 'placeholder' | 'autoComplete' | 'ref' | 'onInput'> {
  form: FieldState
  name: 'titulo' | 'subtitulo' | 'ogTitle' | 'ogDescription' | 'sheetTab'
  values: CampaignValues
  help?: string
  long?: boolean
}

export function CountedField({ form, name, values, help, long, ...input }: CountedFieldProps) {
  const limit = campaignLimits[name]
  const length = values[name].trim().length
  const over = length - limit
  const counted = over > 0 ? `${length} de ${limit} caracteres: ${over} a mais` : `${length} de ${limit} caracteres`
  const shared = { form, name, label: labels[name], hint: help ? `${counted}. ${help}` : counted }
  return (
    <div className="counted" data-over={over > 0 || undefined}>
      {long ? <LongTextField {...shared} rows={3} /> : <TextField {...shared} {...input} />}
      {/* Told once, when it happens: a number after every letter would be noise. */}
      <p className="hidden" role="status">
        {over > 0 && `${labels[name]}: passou do limite de ${limit} caracteres`}
      </p>
    </div>
  )
}
