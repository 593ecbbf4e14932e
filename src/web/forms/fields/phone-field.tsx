import { TextField } from '#web/forms/fields/field.tsx'
import type { FieldState } from '#web/forms/submission/use-submission.ts'

interface PhoneFieldProps {
  form: FieldState
  label: string
  hint?: string
  placeholder?: string
}

/** Phones show a numeric keyboard and offer the user's own number. The form removes the country code. */
export function PhoneField(props: PhoneFieldProps) {
  return <TextField {...props} name="whatsapp" required type="tel" inputMode="tel" autoComplete="tel" />
}
