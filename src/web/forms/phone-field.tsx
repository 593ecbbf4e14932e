// The WhatsApp number: a phone shows digits and offers its own number; the form removes the country code.
import { TextField } from '#web/forms/field.tsx'
import type { Form } from '#web/forms/use-form.ts'

interface PhoneFieldProps {
  form: Form
  label: string
  hint?: string
  placeholder?: string
}

export function PhoneField(props: PhoneFieldProps) {
  return <TextField {...props} name="whatsapp" required type="tel" inputMode="tel" autoComplete="tel" />
}
