// In its own file, because petitions load field.tsx but have no such field.
import type { TextareaHTMLAttributes } from 'react'
import { type FieldProps, fieldAttributes, LabelledField } from '#web/forms/fields/field.tsx'

type AreaProps = FieldProps & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'form' | 'name'>

export function LongTextField({ form, name, label, hint, ...area }: AreaProps) {
  return (
    <LabelledField form={form} name={name} label={label} hint={hint} required={area.required}>
      <textarea rows={4} {...area} {...fieldAttributes(form, name, hint)} defaultValue={form.initial(name)} />
    </LabelledField>
  )
}
