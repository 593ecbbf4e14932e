// A text field with a character count. Nothing is cut off: a text that is too long can be seen and shortened.
import type { ComponentProps } from 'react'
import { TextField } from '#web/forms/fields/field.tsx'
import { LongTextField } from '#web/forms/fields/long-text-field.tsx'
import type { FieldState } from '#web/forms/submission/use-submission.ts'
import './counted-field.css'

interface CountedFieldProps
  extends Pick<ComponentProps<'input'>, 'required' | 'autoComplete' | 'ref' | 'value' | 'defaultValue' | 'onChange'> {
  placeholder?: string
  form: FieldState
  name: string
  label: string
  /** What the field contains now. */
  text: string
  limit: number
  help?: string
  long?: boolean
}

export function CountedField(props: CountedFieldProps) {
  const { form, name, label, text, limit, help, long, placeholder, ...input } = props
  const length = text.trim().length
  const over = length - limit
  const countText = over > 0 ? `${length} de ${limit} caracteres: ${over} a mais` : `${length} de ${limit} caracteres`
  const shared = { form, name, label, hint: help ? `${countText}. ${help}` : countText }
  return (
    <div className="counted" data-over={over > 0 || undefined}>
      {long ? <LongTextField {...shared} rows={3} placeholder={placeholder} /> : <TextField {...shared} {...input} />}
      {/* Announced once, when the limit is passed: a number after every letter would be noise. */}
      <p className="hidden" role="status">
        {over > 0 && `${label}: passou do limite de ${limit} caracteres`}
      </p>
    </div>
  )
}
